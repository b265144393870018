package import GatebookCrypto

/// A session whose requests carry a name and a password, which another program can send to the same
/// server (RFC 7617).
package protocol PasswordBearing: SessionProof {
  /// The name and the password for a URL.
  ///
  /// - Parameters:
  ///   - url: Where they are to be sent. A URL with the path `/` stands for the whole server.
  ///   - realm: The realm that the server named; `nil` where that is not known.
  /// - Returns: `nil` outside the part of the server that the session belongs to, and where no
  ///   password is kept.
  func password(at url: HTTPURL, realm: String?) -> (user: String, password: Secret)?
}

extension PasswordBearing {
  /// This.
  package var passwordBearing: (any PasswordBearing)? { self }
}
