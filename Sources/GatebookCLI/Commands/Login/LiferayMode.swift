/// How `login liferay` logs in.
///
/// Source: Login Screenlet, `loginMode`.
enum LiferayMode: String, CaseIterable, Sendable {
  case basic
  case cookie
  case oauth
  case oauth2Redirect = "oauth2-redirect"
  case oauth2Password = "oauth2-password"

  /// Whether the person logs in on the portal's page.
  var opensPage: Bool { self == .oauth || self == .oauth2Redirect }

  /// The option that chooses one.
  static let choice = CommandOption.choice(
    "--mode", allCases.map(\.rawValue),
    "HTTP Basic on every request (basic), the portal's own form, OAuth 1.0a or OAuth 2 on the "
      + "portal's page, or OAuth 2 by password", ignoresCase: true, kept: "mode", usual: "basic")
}

extension LiferayMode {
  /// The mode of a login method, as the log calls it.
  init?(method: String) {
    let name = method.dropFirst("liferay-".count)
    self.init(rawValue: name == "oauth1" ? Self.oauth.rawValue : String(name))
  }
}
