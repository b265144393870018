internal import Gatebook
internal import GatebookSystem

/// One run of `gatebook`, from its arguments to its exit.
@MainActor struct Invocation {
  /// The arguments after the program's name; `nil` for one that is not UTF-8.
  let line: [String?]
  /// The commands.
  var table = CommandTable.commands
  /// Environment, terminals, clock and zone.
  let surroundings: Surroundings
  /// Standard output.
  let results: any ByteSink
  /// Standard error.
  let messages: any ByteSink
  /// Tells waiting questions that the run is cancelled.
  var interruption: Interruption?
  /// The book of the agent that runs this; `nil` in a process of its own.
  var lent: LentBook?

  /// Runs; every error is printed, none is thrown.
  ///
  /// - Returns: How the process ends.
  func run() async -> ExitCode {
    let pager = pager()
    let exit = await run(pager)
    do throws(GatebookError) {
      try pager?.finish()
      return exit
    } catch {
      return exit == .done ? .failed : exit
    }
  }

  /// The pager of this run; `nil` without a terminal, or if the person wants none.
  private func pager() -> Pager? {
    guard let command = surroundings.pager, let rows = surroundings.outputRows else { return nil }
    return Pager(command, rows: rows, results: results, messages: messages)
  }

  private func run(_ pager: Pager?) async -> ExitCode {
    let text = line.compactMap(\.self)
    var output = Output(
      results: results, messages: messages, isJSON: ArgumentReader.wantsJSON(text),
      messageColumns: surroundings.isErrorTerminal ? surroundings.errorColumns : nil)
    var help: Help?
    var account = ""
    let progress = ProgressLine(messages, isTerminal: surroundings.isErrorTerminal)
    do {
      guard text.count == line.count else { throw Self.notText }
      let order = try ArgumentReader.read(text, table)
      guard case .run(let command, let arguments) = order else {
        if let pager { output.page(by: pager) }
        output.text(page(order))
        return try finish(.done, output)
      }
      help = command.help
      let given = try GlobalOptions(arguments, surroundings)
      let globals = lent.map { given.opened($0) } ?? given
      // Their `--book` names one of other machines.
      let isOfFleet = command.help.name.hasPrefix("fleet ")
      output = configured(arguments, globals, place: isOfFleet ? "" : arguments.givenPlace)
      if let pager, command.help.isPaged, !output.isJSON, !arguments.has(LogCommand.follow) {
        output.page(by: pager)
      }
      if globals.isQuiet { progress.finish() }
      let answers = answers(arguments, of: command.help)
      // Looked at now: when the question comes, an empty file for the new book is there already.
      let isNew = !Files.exists(globals.book)
      let call = Call(
        arguments: arguments, globals: globals, surroundings: surroundings, output: output,
        answers: answers, progress: progress, line: text, lent: lent,
        passphraseAsked: AskedOnce { () throws(GatebookError) in
          try answers.passphrase(isNew: isNew)
        })
      account = isOfFleet ? "" : call.givenAccount
      return try finish(try await command.init().run(call), output)
    } catch {
      // Otherwise the error would come after it in the same line.
      progress.finish()
      return report(error, of: help, account, output)
    }
  }

  private static let notText = UsageError(
    "An argument is not UTF-8 text.", remedy: "Use only UTF-8 text, also in file names.")

  private func page(_ order: Order) -> String {
    let help = HelpText(columns: surroundings.isOutputTerminal ? surroundings.outputColumns : nil)
    return switch order {
    case .overview: help.overview(table.map { $0.help })
    case .help(let commands): help.text(commands)
    case .version: "gatebook \(CommandTable.version)\n"
    case .run: ""
    }
  }

  private func configured(
    _ arguments: Arguments, _ globals: GlobalOptions, place: String
  ) -> Output {
    let wantsColor = surroundings.allowsColor && !arguments.has(GlobalOptions.noColorOption)
    return Output(
      results: results, messages: messages, isJSON: arguments.has(GlobalOptions.jsonOption),
      isQuiet: globals.isQuiet, isVerbose: arguments.has(GlobalOptions.verboseOption),
      hasColor: wantsColor,
      isTerminal: surroundings.isOutputTerminal, columns: surroundings.outputColumns,
      messageColumns: surroundings.isErrorTerminal ? surroundings.errorColumns : nil,
      place: place,
      times: TimeText(
        zone: surroundings.zone, isUTC: globals.isUTC, clock: surroundings.clock))
  }

  private func answers(_ arguments: Arguments, of help: Help) -> Answers {
    let source: Answers.Source =
      lent != nil
      ? .nobody : arguments.has(Answers.standardInputOption) ? .standardInput(0) : .terminal
    return Answers(
      source, interruption: interruption,
      mayComeByInput: help.options.contains(Answers.standardInputOption))
  }

  private func finish(_ exit: ExitCode, _ output: Output) throws(GatebookError) -> ExitCode {
    try output.finish()
    return exit
  }

  private func report(
    _ error: any Error, of command: Help?, _ account: String, _ output: Output
  ) -> ExitCode {
    // What was printed before the error stays; that it could not all be printed is the lesser news.
    try? output.finish()
    let report = ErrorReport.of(error, of: command, account: account)
    output.report(report)
    return report.exit
  }
}

/// What a command line asks for.
enum Order: Sendable {
  /// The overview of all commands.
  case overview
  /// The help of one command, or of all commands that begin with these words.
  case help([Help])
  /// Which version this is.
  case version
  /// Run a command.
  case run(any Command.Type, Arguments)
}
