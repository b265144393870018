internal import GatebookCrypto
internal import GatebookEvents

/// What a login by HTTP authentication needs.
struct HTTPLogin: Sendable {
  /// Refuses without credentials and answers 2xx with them.
  var url: HTTPURL
  /// The user name.
  var user: String
  /// The password.
  var password: Secret

  /// Name and password as they are sent.
  ///
  /// - Throws: `configuration.invalid` for what RFC 7617 cannot carry.
  func credentials() throws(GatebookError) -> BasicCredentials {
    try BasicCredentials(user: user, password: password.text)
  }

  /// The person as far as this method knows one: the server names nobody.
  var person: Person {
    Person(family: HTTPProof.method, server: url.origin, userID: user, loginName: user)
  }
}
