/// One person at one server, as a login method knows them.
///
/// Personal: only encrypted or keyed forms of it reach the book.
package struct Person: Hashable, Sendable {
  /// The methods among which an account is the same: `liferay` for all its modes, `http`, `form`,
  /// `oauth1`, `oauth2`, `oidc`, `fcsdk`, `mobilefirst`.
  package var family: String
  /// The server's scheme, host and port.
  package var server: Origin
  /// The part of the server the person belongs to, such as a Liferay company id; empty for none.
  package var tenant: String
  /// The application by which the person logs in, as it is configured: two of them are two
  /// accounts.
  ///
  /// Empty for a method without one, and for Liferay, whose modes are one account.
  package var client: String
  /// What identifies the person there: the server's user id, or the login name where the server
  /// names nobody.
  package var userID: String
  /// The name that was typed; empty where the person types it at the server.
  package var loginName: String

  /// The family of a method, such as `liferay` of `liferay-cookie`.
  package static func family(of method: String) -> String { String(method.prefix { $0 != "-" }) }

  /// Makes a person.
  package init(
    family: String, server: Origin, tenant: String = "", client: String = "", userID: String,
    loginName: String
  ) {
    self.family = family
    self.server = server
    self.tenant = tenant
    self.client = client
    self.userID = userID
    self.loginName = loginName
  }
}
