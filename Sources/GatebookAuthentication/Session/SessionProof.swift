package import GatebookEvents

/// What makes a session usable after its login: authorises its requests, judges their answers and
/// proves itself to its server.
///
/// A value; it is kept encrypted in the vault. What only some methods can do is in protocols of its
/// own: ``Renewable``, ``TokenBearing``, ``PasswordBearing``, ``LogoutCapable`` and
/// ``StepUpCapable``. A proof that
/// conforms to one of them is found by the property of the same name.
package protocol SessionProof: Sendable, Storable where Record == Facts {
  /// The method's name, such as `http`; frozen: it is stored in events and finds the type again.
  static var method: String { get }

  /// The origin that the session was made at: credentials go there.
  var origin: Origin { get }

  /// Adds what authorises a request to one of the account's origins: header fields, cookies.
  ///
  /// - Parameters:
  ///   - request: A request of the app.
  ///   - jar: The account's cookies.
  ///   - moment: Now.
  ///   - random: 64 fresh random bytes, for methods that sign each request.
  /// - Returns: The request as it is sent.
  func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest

  /// Whether ``authorise(_:jar:at:random:)`` reads the body of that request.
  ///
  /// - Parameter request: A request of the app.
  /// - Returns: `true` when the body must be in memory first.
  func signsBody(of request: HTTPRequest) -> Bool

  /// What an answer to a request says about the session.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - request: The request as it was sent.
  /// - Returns: The verdict.
  func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict

  /// Proves with the server that the session still lives, without a new login.
  func verification(jar: CookieJar) -> any Authenticator

  /// Whether it can log in again automatically if it was saved for that.
  var canLogInAgain: Bool { get }

  /// Whether a renewal, or the login that takes its place, sends a person's password: servers count
  /// those, and lock accounts for them.
  var renewsByPassword: Bool { get }

  /// How far the server's clock is from ours, where the method itself must know; else `nil`.
  var serverOffset: Duration? { get }

  /// Whether the account takes cookies from the answers to its requests.
  var keepsCookies: Bool { get }

  /// Whether the server keeps something that stays valid until a logout.
  var livesAtServer: Bool { get }

  /// What its login was asked with, as far as the session knows: as ``LoginMethod/settings``; empty
  /// where it does not know enough. No secrets.
  var settings: Facts { get }

  /// The proof, where the session can be renewed.
  var renewable: (any Renewable)? { get }

  /// The proof, where it is made of tokens.
  var tokenBearing: (any TokenBearing)? { get }

  /// The proof, where its requests carry a name and a password.
  var passwordBearing: (any PasswordBearing)? { get }

  /// The proof, where the server can be told that the session ends.
  var logoutCapable: (any LogoutCapable)? { get }

  /// The proof, where a server may demand a stronger login of the session.
  var stepUpCapable: (any StepUpCapable)? { get }
}

extension SessionProof {
  /// No.
  package func signsBody(of request: HTTPRequest) -> Bool { false }

  /// Yes: what proves the session is a login.
  package var canLogInAgain: Bool { true }

  /// No.
  package var renewsByPassword: Bool { false }

  /// Not known.
  package var serverOffset: Duration? { nil }

  /// Yes.
  package var keepsCookies: Bool { true }

  /// Most methods are given something by their server.
  package var livesAtServer: Bool { true }

  /// None.
  package var settings: Facts { [:] }

  /// None.
  package var renewable: (any Renewable)? { nil }

  /// None.
  package var tokenBearing: (any TokenBearing)? { nil }

  /// None.
  package var passwordBearing: (any PasswordBearing)? { nil }

  /// None.
  package var logoutCapable: (any LogoutCapable)? { nil }

  /// None.
  package var stepUpCapable: (any StepUpCapable)? { nil }
}

/// The closed list of proofs that a book can hold: finds the type of a stored method name.
package enum SessionProofs {
  private static let types: [any SessionProof.Type] = [
    HTTPProof.self, FormProof.self, LiferayBasicProof.self, LiferayCookieProof.self,
    LiferayOAuth2Proof<LiferayRedirectGrant>.self, LiferayOAuth2Proof<LiferayPasswordGrant>.self,
    LiferayOAuth1Proof.self, OAuth1Proof.self, OAuth2Proof<PlainOAuth2>.self,
    OAuth2Proof<OpenIDConnect>.self, MobileFirstProof.self, FCSDKProof.self,
  ]

  /// Reads a proof back; `nil` for an unknown method or a record that is not its own.
  package static func decode(method: String, record: Facts) -> (any SessionProof)? {
    types.first { $0.method == method }?.init(record: record)
  }
}

/// What an answer to an authorised request says about the session.
package enum SessionVerdict: Sendable, Equatable {
  /// Nothing: the answer is the app's affair.
  case unaffected
  /// The server refused the request's clock or nonce, not the session: try again once, with the
  /// proof that this record makes.
  case corrected(Facts)
  /// The server did not take the session's authority: renew, or prove the session, then try again
  /// once.
  case authorityLost
}
