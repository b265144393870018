internal import Gatebook

/// How a login on a server's page can be made without that page: the commands for it, ready to
/// paste.
struct BrowserlessLogin: Sendable {
  private let command: Help
  private let arguments: Arguments
  /// Who describes itself; `nil` for a server without metadata.
  private let issuer: Issuer?

  /// Makes it.
  ///
  /// - Parameters:
  ///   - command: The command of the login.
  ///   - arguments: What it was given.
  ///   - issuer: The server's issuer; `nil` where only the options describe it.
  init(_ command: Help, _ arguments: Arguments, issuer: Issuer? = nil) {
    self.command = command
    self.arguments = arguments
    self.issuer = issuer
  }

  /// The command of the same login by another flow.
  func line(_ flow: GrantFlow) -> String {
    var left = ServerPageArguments.all + [GrantFlow.choice]
    if flow != .password { left.append(Answers.standardInputOption) }
    let options = (command.options + GlobalOptions.all).filter { !left.contains($0) }
    let words = command.words + arguments.words(of: options) + GrantFlow.choice.words(flow.rawValue)
    return "`gatebook \(words.map(ShellText.word).joined(separator: " "))`"
  }

  /// What to do without a browser here, by what the server lists.
  ///
  /// - Parameters:
  ///   - book: The book of the login, which has read the server's metadata by now.
  ///   - options: The login's.
  /// - Returns: A sentence; `nil` where the server lists no other way.
  func advice(in book: SessionBook, _ options: LoginOptions) async -> String? {
    var offers: ServerOffers?
    if let issuer { offers = await book.offers(of: issuer, options) }
    let hasCodes = offers?.listsDeviceCodes ?? false || arguments[EndpointArguments.device] != nil
    let ways =
      (hasCodes ? ["\(line(.device)) (a code that you enter on another device)"] : [])
      + (offers?.listsPassword == true ? ["\(line(.password)) (user name and password)"] : [])
    guard !ways.isEmpty else { return nil }
    return Printable.text(
      "Without a browser on this machine, log in with \(ways.joined(separator: " or ")).")
  }

  /// The refusal of `--password-stdin` by a login that reads no answer.
  ///
  /// - Parameter other: The same login by a password; `nil` where the command has none.
  /// - Returns: The error.
  static func unreadInput(_ other: BrowserlessLogin?) -> UsageError {
    UsageError(
      "`\(Answers.standardInputOption.name)` has no effect: the server asks for the password on its own "
        + "page, and Gatebook asks nothing.",
      remedy: (other.map {
        "If the server takes the password from a client, run \($0.line(.password)). "
      } ?? "") + "To log in on the page, leave out `\(Answers.standardInputOption.name)`.")
  }
}
