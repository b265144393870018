internal import GatebookEvents

/// What an OAuth 1.0a login is for: the server that the token opens, and whose it is.
struct OAuth1Target: Sendable {
  /// Refuses without a signature and answers 2xx with one.
  var checkURL: HTTPURL
  /// The name under which the app keeps the account.
  var user: String

  /// The person as far as this method knows one: the server names nobody.
  ///
  /// - Parameter consumer: The application.
  /// - Returns: The person.
  func person(of consumer: OAuth1Consumer) -> Person {
    Person(
      family: OAuth1Proof.method, server: checkURL.origin, client: consumer.key, userID: user,
      loginName: user)
  }

  /// What would only be found out by a useless request.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    guard !user.isEmpty else {
      throw .setting("user", "it is empty.", remedy: "Give a name for the account.")
    }
  }
}

extension OAuth1Target: StoredRecord {
  /// Where the login is proven, and whose it is.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    checkURL = try facts.required("checkUrl", kept?.checkURL)
    user = try facts.required("user", kept?.user)
  }
}
