internal import Gatebook

/// The line that logs an account in again, as far as a book without its key knows it.
enum LoginLine {
  /// What follows `gatebook login`; three points stand for what only the person knows.
  static func words(_ context: SessionContext?) -> String {
    guard let context else { return "..." }
    // Of one that was erased a login makes another account.
    guard context.state != .ended(.erased) else { return way(context) }
    return "\(way(context)) \(AccountRendering.option(context))"
  }

  private static func way(_ context: SessionContext) -> String {
    let server = ShellText.word(context.server)
    let parts = context.method.split(separator: "-", maxSplits: 1).map(String.init)
    return switch parts[0] {
    case "liferay":
      "liferay --server \(server)/... --mode \(mode(parts.dropFirst().first ?? "basic")) ..."
    case "fcsdk": "fcsdk --server \(server) --user \(user(context))"
    case "form": "form --url \(server)/... --check \(server)/... --user \(user(context))"
    case "http": "http --url \(server)/... --user \(user(context))"
    case "mobilefirst":
      "mobilefirst --server \(server)/... --app ... --check ... --user \(user(context))"
    case "oidc": "oidc --issuer \(server)/... --client-id ..."
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
