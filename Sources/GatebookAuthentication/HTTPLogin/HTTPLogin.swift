internal import GatebookEvents

/// What a login by HTTP authentication needs.
struct HTTPLogin: Sendable {
  /// Refuses without credentials and answers 2xx with them.
  var url: HTTPURL
  /// Who logs in, and what proves it.
  var credential: HTTPCredential

  /// Refuses what no server could take.
  ///
  /// The rules of Basic hold before it is known which scheme the server asks for. They are those of
  /// Digest too: the colon parts name, realm and password there, and control characters neither fit
  /// into a quoted string nor belong into a password (RFC 8265 section 4.2.1).
  ///
  /// - Throws: `configuration.invalid`.
  func check() throws(GatebookError) {
    guard !credential.user.isEmpty else {
      throw .setting("user", "it is empty.", remedy: "Give a name.")
    }
    guard case .password(let password) = credential.evidence else { return }
    try password.checkAsPassword()
    _ = try BasicCredentials(user: credential.user, password: password.text)
  }

  /// What the login was asked with; no secrets.
  var settings: Facts {
    ["url": .text(url.description), "user": .text(credential.user)]
  }

  /// The person as far as this method knows one: the server names nobody.
  var person: Person {
    Person(
      family: HTTPProof.method, server: url.origin, userID: credential.user,
      loginName: credential.user)
  }
}
