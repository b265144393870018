internal import Gatebook

/// What may come next on a command line that is still being typed.
struct Completion {
  /// The words that may come next; an empty note means that the word is plain.
  private(set) var words: [Positional.Word] = []
  /// Whether the name of an account may come next.
  private(set) var takesAccount = false
  /// Whether the name of a file may come next.
  private(set) var takesFile = false
  /// The text before a value in the same word: `--format=`.
  private(set) var prefix = ""
  /// What the line gives.
  let given: Arguments

  private let path: [String]

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: The words after the program's name; the last one is still being typed.
  ///   - table: All commands.
  init(_ line: [String], among table: [any Command.Type]) {
    let reader = ArgumentReader(beginning: line.dropLast(), table)
    given = reader.arguments
    path = Array(reader.words.drop { $0 == "help" })
    let last = line.last ?? ""
    let (name, value) = last.hasPrefix("--") ? ArgumentReader.parts(last) : (last, nil)
    if given.program != nil {
      // What the program takes is its own.
      takesFile = true
    } else if let option = reader.awaited {
      offerValue(of: option)
    } else if value != nil, let option = reader.option(name), option.placeholder != nil {
      prefix = "\(name)="
      offerValue(of: option)
    } else {
      offerWords(of: table.map { $0.help })
    }
  }

  // MARK: What is offered

  private mutating func offerValue(of option: CommandOption) {
    let choices = option.choices.isEmpty ? option.suggestions : option.choices
    words = choices.map { Positional.Word(text: prefix + $0, note: "") }
    if choices.isEmpty { offer(option.placeholder ?? "") }
  }

  private mutating func offer(_ placeholder: String) {
    let accounts: [Positional] = [.account, .accountOrPosition, .accountOrServer]
    takesAccount =
      takesAccount || placeholder == GlobalOptions.accountOption.placeholder
      || accounts.contains { $0.name == placeholder }
    takesFile = takesFile || ["F", "PATH", "CHECKPOINT"].contains(placeholder)
  }

  /// Offers the words of commands, what a command knows of its first argument, and options.
  private mutating func offerWords(of commands: [Help]) {
    for help in commands where help.words.count > path.count && help.words.starts(with: path) {
      let word = help.words[path.count]
      guard !words.contains(where: { $0.text == word }) else { continue }
      let isWhole = help.words.count == path.count + 1
      words.append(Self.word(word, isWhole ? help.summary : "several commands"))
    }
    if path.isEmpty {
      words.append(Self.word("help", "Explain one command."))
      words.append(Self.word("version", "Print the version."))
    }
    let command = commands.first { $0.words == path }
    words += command?.positionals.first?.words ?? []
    for positional in command?.positionals ?? [] { offer(positional.name) }
    words += ((command?.options ?? []) + GlobalOptions.all).map { Self.word($0.name, $0.note) }
  }

  /// A word with a note that is not too long for a list.
  private static func word(_ text: String, _ note: String) -> Positional.Word {
    Positional.Word(text: text, note: note.count <= 72 ? note : note.prefix(69) + "...")
  }
}

/// `gatebook __complete WORD...`: asked by the scripts of `gatebook completions`, and by no person.
struct CompleteCommand: Command {
  private static let word = CommandOption.values("--word", "WORD", "a word of the line")

  static let help = Help(
    "__complete", "Print what may come next on a command line.", in: .care, options: [word],
    examples: [], isAudit: true)

  /// The arguments of a line, whose words are no options of this command.
  static func arguments(of line: some Sequence<String>) -> Arguments {
    var arguments = Arguments()
    for word in line { arguments.add(word, to: Self.word) }
    return arguments
  }

  /// Prints `files` or `words`, as files may come next or not, and then each word with its note.
  func run(_ call: Call) async throws -> ExitCode {
    let completion = Completion(
      call.arguments.all(Self.word), among: CommandTable.commands)
    call.output.line(completion.takesFile ? "files" : "words")
    for word in completion.words {
      call.output.line(word.note.isEmpty ? word.text : "\(word.text)\t\(word.note)")
    }
    if completion.takesAccount {
      for name in Self.accounts(call, completion.given) {
        call.output.line(completion.prefix + name)
      }
    }
    return .done
  }

  /// What `--account` takes in the book of the line; nothing where it does not open without a
  /// question.
  @MainActor private static func accounts(_ call: Call, _ given: Arguments) -> [String] {
    var arguments = Arguments()
    for option in [GlobalOptions.bookOption, GlobalOptions.keyOption] {
      guard let value = given[option] else { continue }
      // The shell would do that when the line is run.
      let home = value.hasPrefix("~/") ? call.surroundings["HOME"] : nil
      arguments.add(home.map { $0 + value.dropFirst() } ?? value, to: option)
    }
    arguments.add("1", to: GlobalOptions.waitOption)
    guard let call = try? call.with(arguments), let reader = try? call.readerUnasked(),
      let accounts = try? reader.accounts(at: call.now)
    else { return [] }
    return accounts.map(AccountRendering.selector)
  }
}
