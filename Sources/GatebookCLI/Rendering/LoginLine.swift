internal import Gatebook

/// The line that logs an account in again, as far as a book without its key knows it.
enum LoginLine {
  /// What follows `gatebook login`; three points stand for what only the person knows.
  ///
  /// - Parameters:
  ///   - context: The account.
  ///   - explanation: Where there is no account, the login that it tells of is the one to be made.
  /// - Returns: Options.
  static func words(_ context: SessionContext?, _ explanation: Explanation? = nil) -> String {
    guard let context else {
      let start = explanation?.events.last { $0.isKind(.loginStarted) }
      guard let method = start?.data["method"]?.text, let server = start?.data["server"]?.text
      else { return "..." }
      return way(method, server, user: "...")
    }
    let way = way(context.method, context.server, user: user(context))
    // Of one that was erased a login makes another account.
    guard context.state != .ended(.erased) else { return way }
    return "\(way) \(AccountRendering.option(context))"
  }

  private static func way(_ method: String, _ server: String, user: String) -> String {
    // A stranger's book may name anything as a method, and the line is to be pasted.
    guard GatebookError.isPlainName(method) else { return "..." }
    let server = ShellText.word(server)
    let parts = method.split(separator: "-", maxSplits: 1).map(String.init)
    return switch parts[0] {
    case "liferay":
      "liferay --server \(server)/... --mode \(mode(parts.dropFirst().first ?? "basic")) ..."
    case "fcsdk": "fcsdk --server \(server) --user \(user)"
    case "form": "form --url \(server)/... --check \(server)/... --user \(user)"
    case "http": "http --url \(server)/... --user \(user)"
    case "mobilefirst":
      "mobilefirst --server \(server)/... --app ... --check ... --user \(user)"
    // An issuer without a path has no slash at its end.
    case "oidc": "oidc --issuer \(server)... --client-id ..."
    case let method: "\(method) ..."
    }
  }

  private static func user(_ context: SessionContext) -> String {
    guard let name = context.loginName.value, !name.isEmpty else { return "..." }
    return ShellText.word(name)
  }

  /// Where an account's server is; three points where that is not known.
  static func server(_ context: SessionContext?) -> String {
    context.map { "\(ShellText.word($0.server))/..." } ?? "..."
  }

  /// A mode of `--mode`, whose method is called otherwise for one.
  private static func mode(_ method: String) -> String {
    method == "oauth1" ? LiferayMode.oauth.rawValue : method
  }
}
