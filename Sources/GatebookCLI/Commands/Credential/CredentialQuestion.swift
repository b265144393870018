internal import Gatebook

/// What a program asks for, or tells, by the protocol of its credential helpers.
struct CredentialQuestion: Equatable, Sendable {
  /// What is wanted.
  enum Deed: Sendable {
    /// A credential.
    case get
    /// The servers that there are credentials for.
    case list
    /// Nothing: the server has accepted a credential, or a person has typed one.
    case accepted
    /// Nothing: the server has rejected a credential, or a person wants it forgotten.
    case rejected
  }

  var deed: Deed
  /// Where the credential goes, the preferred one first.
  ///
  /// None for a place that is no web server; `nil` if the program does not say it.
  var urls: [HTTPURL]?
  /// Whose it is to be; `nil` for anybody's.
  var user: String?
  /// Whether the program sends that name whatever the answer is.
  var keepsUser = false
  /// Whether a password is no answer.
  var wantsToken = false
  /// The password or token that the program reports.
  var secret: Secret?
  /// Whether a token is to go into `Authorization: Bearer`, and not into a password's place.
  var takesBearer = false
  /// The server as the program wrote it.
  var place = ""
  /// What the server has asked for, where the program passes it on.
  var challenges: [AuthenticationChallenge] = []

  /// The realms of the challenges to send a name and a password; `nil` where the program passes no
  /// challenge on.
  var realms: [String]? {
    guard !challenges.isEmpty else { return nil }
    return challenges.filter { $0.scheme.lowercased() == "basic" }.map { $0.realm ?? "" }
  }
}

/// A credential as it is handed to a program.
struct HandedCredential: Sendable {
  /// The name that goes with it.
  let user: String
  let secret: Secret
  let isToken: Bool
  /// `nil` if the server did not say.
  let expiresAt: Timestamp?
  /// Where it goes.
  let url: HTTPURL

  /// The secret as text.
  ///
  /// - Throws: `CredentialFault` for one that is not UTF-8.
  func text() throws(CredentialFault) -> String {
    guard let text = secret.withBytes({ String(validating: $0, as: UTF8.self) }) else {
      throw CredentialFault("The password is not UTF-8 text, which this protocol cannot carry.")
    }
    return text
  }

  /// The name and the secret as values of one line each.
  ///
  /// - Throws: `CredentialFault` for one that has more lines, or a NUL character.
  func lines() throws(CredentialFault) -> (user: String, secret: String) {
    let secret = try text()
    for value in [user, secret] where value.unicodeScalars.contains(where: Self.breaksLine) {
      throw CredentialFault(
        "The user name or the password has a line end or a NUL character, which this protocol cannot "
          + "carry.")
    }
    return (user, secret)
  }

  private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar == "\0"
  }
}

/// Why a program gets no credential: one line for the person who runs it, without secrets.
struct CredentialFault: Error, Hashable, Sendable {
  let line: String

  init(_ line: String) {
    self.line = line
  }
}
