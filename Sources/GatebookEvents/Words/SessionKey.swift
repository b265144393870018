/// What the requests of a session carry.
package enum SessionKey {
  /// The person's name and password.
  case password
  /// A token that the server granted.
  case token
  /// A cookie.
  case cookie

  /// Makes it from a login method's name; `nil` for a method that is not listed here, such as
  /// `mobilefirst`.
  package init?(method: String) {
    switch method {
    case "http", "liferay-basic": self = .password
    case "form", "liferay-cookie": self = .cookie
    case "oauth1", "liferay-oauth1", "oauth2", "oidc", "liferay-oauth2-redirect",
      "liferay-oauth2-password":
      self = .token
    default: return nil
    }
  }

  /// What a sentence calls it.
  package var name: String {
    switch self {
    case .password: "password"
    case .token: "access token"
    case .cookie: "session cookie"
    }
  }
}
