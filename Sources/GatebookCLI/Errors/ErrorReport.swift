internal import Gatebook
internal import GatebookSystem

/// An error as it is printed: what happened, what was kept, what to do.
struct ErrorReport: Hashable, Sendable {
  let code: FailureCode
  let message: String
  let kept: String
  private(set) var remedy: String
  /// The exit that it leads to.
  let exit: ExitCode

  /// The report of an error.
  ///
  /// - Parameters:
  ///   - error: What was thrown.
  ///   - command: The command that threw it: its options may help.
  ///   - account: The options that name the account and the book, which the commands in an error
  ///     need too.
  /// - Returns: The report.
  static func of(
    _ error: any Error, of command: Help? = nil, account: String = ""
  ) -> ErrorReport {
    switch error {
    case let error as GatebookError where error.code == .cancelled:
      ErrorReport(
        code: .cancelled, message: "Cancelled.", kept: error.kept, remedy: error.remedy,
        exit: .cancelled)
    case let error as GatebookError: report(of: error, command, account)
    case let error as UsageError:
      ErrorReport(
        code: .configurationInvalid, message: error.message, kept: "Nothing was done.",
        remedy: error.remedy, exit: .usage)
    case let error as ProgramError:
      ErrorReport(
        code: .configurationInvalid, message: error.message, kept: "The program was not started.",
        remedy: error.remedy, exit: error.exit)
    case is CancellationError:
      ErrorReport(
        code: .cancelled, message: "Cancelled.", kept: "What was already recorded is kept.",
        remedy: "Run the command again when you like.", exit: .cancelled)
    default:
      // Such an error is a fault of Gatebook. Its text is unknown, so it is not printed: it might
      // carry a secret.
      ErrorReport(
        code: .outcomeUnknown,
        message: "Something went wrong inside Gatebook: \(type(of: error)).",
        kept: "What was already recorded is kept.",
        remedy: "Run `gatebook verify`, then report this as a bug.", exit: .failed)
    }
  }

  private static func report(
    of error: GatebookError, _ command: Help?, _ account: String
  ) -> ErrorReport {
    var error = error
    error.remedy = CommandNames.replacingAPI(in: error.remedy)
    let advice = command.flatMap { OptionAdvice.sentence(for: error, of: $0) }
    if error.code == .storageNone { error.remedy = noBookRemedy }
    let remedy = [error.remedy, patience(of: error), advice ?? ""].filter { !$0.isEmpty }
    return ErrorReport(
      code: error.code, message: message(of: error), kept: error.kept,
      remedy: PrintedCommand.completed(remedy.joined(separator: " "), by: account),
      exit: exit(of: error))
  }

  /// What to do where there is no book: the same for every command, also those that other programs
  /// run.
  private static let noBookRemedy =
    "Check the path: `--book PATH` reads another book. `gatebook login` creates the book and asks how to "
    + "log in."

  /// A page that a network puts in a server's place is no fault of the answer, but of the way to
  /// it.
  private static func exit(of error: GatebookError) -> ExitCode {
    error.code == .contentUnexpected && error.fault == Fault.answerPage.name
      ? .serverTrouble : ExitCode(error.code)
  }

  /// The report, whose commands name the book.
  func placed(at place: String) -> ErrorReport {
    var report = self
    report.remedy = PrintedCommand.placed(remedy, at: place)
    return report
  }

  private static func patience(of error: GatebookError) -> String {
    guard let wait = error.retryAfter else { return "" }
    let seconds = wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0)
    return
      "The server asks to wait \(Duration.seconds(seconds).units) before the next request."
  }

  /// What happened, with what is known of why: a server's own code says more than our reading of
  /// it.
  private static func message(of error: GatebookError) -> String {
    // That a password is wrong is all there is to know of it.
    let isPlain = error.code == .credentialsRefused
    let answer = isPlain ? nil : error.serverCode.map { "the server's answer: \($0)" }
    let reasons = [error.cause, answer].compactMap(\.self)
    return reasons.isEmpty ? error.message : "\(error.message) (\(reasons.joined(separator: "; ")))"
  }

  /// For people: one line each.
  var text: String {
    let lines = [message, kept, remedy].filter { !$0.isEmpty }.map { Printable.text($0) }
    return "gatebook: " + lines.joined(separator: "\n  ") + "\n"
  }

  /// For programs.
  var json: JSON {
    [
      "error": [
        "code": .text(code.rawValue), "message": .text(message), "kept": .text(kept),
        "remedy": .text(remedy),
      ]
    ]
  }
}

/// A command line that cannot be understood; nothing was done.
///
/// The text names options, commands and accounts, never other values that were given: one of them
/// may be a password in the wrong place.
struct UsageError: Error, Hashable, Sendable {
  /// What is wrong.
  let message: String
  /// What to write instead.
  let remedy: String

  init(_ message: String, remedy: String) {
    self.message = message
    self.remedy = remedy
  }
}
