package import GatebookCrypto
package import GatebookEvents

/// What makes a session usable after its login: authorises its requests, judges their answers and
/// knows how to prove or renew itself.
///
/// A value; it is kept encrypted in the vault.
package protocol SessionProof: Sendable {
  /// The method's name, such as `http`; frozen: it is stored in events and finds the type again.
  static var method: String { get }

  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts)

  /// Everything needed to resume, secrets included.
  var record: Facts { get }

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

  /// What an answer tells besides, such as the nonce for the next request.
  ///
  /// - Parameters:
  ///   - reply: The answer, also one that refuses nothing.
  ///   - request: The request as it was sent.
  /// - Returns: The proof with that; `nil` where it told nothing new.
  func learning(from reply: HTTPReply, to request: HTTPRequest) -> (any SessionProof)?

  /// What an answer wants of the login before the server takes the request; the session itself
  /// stays what it is.
  ///
  /// - Parameter reply: The answer.
  /// - Returns: What is wanted; `nil` for nothing.
  func demand(in reply: HTTPReply) -> StepUp?

  /// The login on a page that answers a demand, for the same account.
  ///
  /// - Parameters:
  ///   - demand: What is wanted.
  ///   - redirectURI: Where the server sends the browser back to.
  /// - Returns: The method.
  /// - Throws: `configuration.invalid` for methods that have no such login, `login.unprovable`
  ///   where nothing could prove what came of it.
  func stepUp(to demand: StepUp, redirectURI: String) throws(GatebookError) -> LoginMethod

  /// Whether the session should be renewed before the next request.
  ///
  /// - Parameters:
  ///   - renewed: When it was made or last renewed.
  ///   - moment: Now.
  /// - Returns: `true` when the session has, or soon will have, ended at the server.
  func needsRenewal(since renewed: Moment, at moment: Moment) -> Bool

  /// Whether a request must wait for the renewal that is due.
  ///
  /// - Parameters:
  ///   - renewed: When it was made or last renewed.
  ///   - moment: Now.
  /// - Returns: `true` when what the session has is over, or too nearly over to be used.
  func isRenewalUrgent(since renewed: Moment, at moment: Moment) -> Bool

  /// Whether what the session has is over, or so nearly that a request should not go out with it.
  ///
  /// - Parameters:
  ///   - renewed: When it was made or last renewed.
  ///   - moment: Now.
  /// - Returns: `false` where its end is not known.
  func isNearlyOver(since renewed: Moment, at moment: Moment) -> Bool

  /// Whether it can log in again automatically if it was saved for that.
  var canLogInAgain: Bool { get }

  /// Whether a renewal uses up what it sends, as a refresh token that rotates: then it is never
  /// sent again while it is not known what became of it.
  var isSingleUse: Bool { get }

  /// The server that renews the session.
  var renewalOrigin: Origin { get }

  /// Whether a renewal, or the login that takes its place, sends a person's password: servers count
  /// those, and lock accounts for them.
  var renewsByPassword: Bool { get }

  /// What is to be found out before a renewal begins, and uses nothing up, such as where the server
  /// is now.
  ///
  /// - Parameter moment: Now.
  /// - Returns: A machine whose outcome has the proof with what was found; `nil` for nothing.
  func preparation(at moment: Moment) -> (any Authenticator)?

  /// The scopes that were asked for and that the server has not granted; what it did not say counts
  /// as granted.
  var missingScopes: [String] { get }

  /// Whether a renewal brought something about the user that could not be checked yet.
  var isUnchecked: Bool { get }

  /// The random secret that changes with each renewal, for the log to tell generations apart; never
  /// a password.
  var fingerprinted: Secret? { get }

  /// What the server told with its tokens besides; as secret as they are.
  var tokenMembers: TokenMembers { get }

  /// Which endpoints the server has moved since an earlier session of the account, by their names
  /// in its metadata.
  ///
  /// - Parameter former: That session's proof.
  /// - Returns: The names; none where what is set by hand alone differs, and for another server.
  func movedEndpoints(since former: any SessionProof) -> [String]

  /// The token that an app may send without Gatebook; `nil` for methods that have none.
  ///
  /// - Parameter renewed: When it was made or last renewed.
  /// - Returns: The token with its end.
  func bearer(since renewed: Moment) -> BearerToken?

  /// Whether the session still serves where a renewal that was due could not be made.
  ///
  /// - Parameters:
  ///   - renewed: When it was made or last renewed.
  ///   - moment: Now.
  /// - Returns: `false` if nothing is left to continue with.
  func isUsable(since renewed: Moment, at moment: Moment) -> Bool

  /// What renews the session without asking anybody: a login with the saved password, a refresh
  /// token; `nil` if there is none or it may not be used for that.
  func renewal(jar: CookieJar) -> (any Authenticator)?

  /// Proves with the server that the session still lives, without a new login.
  func verification(jar: CookieJar) -> any Authenticator

  /// The requests that end the session at the server, in their order; none when there is nothing to
  /// end.
  func logOut(jar: CookieJar, at moment: Moment) -> [HTTPRequest]

  /// The page on which the person's own session at the server ends, in the browser; it holds
  /// secrets.
  ///
  /// - Parameters:
  ///   - redirectURI: Where the server sends the browser back to; `nil` for nowhere.
  ///   - state: What comes back with it.
  ///   - namesPerson: Whether it holds what tells the server whose session to end; else it asks.
  /// - Returns: The page; `nil` for a server without one.
  func endSessionPage(redirectURI: String?, state: String?, namesPerson: Bool) -> HTTPURL?

  /// Whether the answer to a request of `logOut` says that the session has ended there.
  func hasEnded(_ reply: HTTPReply) -> Bool

  /// How far the server's clock is from ours, where the method itself must know; else `nil`.
  var serverOffset: Duration? { get }

  /// Whether the account takes cookies from the answers to its requests.
  var keepsCookies: Bool { get }

  /// Whether the server keeps something that stays valid until a logout.
  var livesAtServer: Bool { get }

  /// What its login was asked with, as far as the session knows: as ``LoginMethod/settings``; empty
  /// where it does not know enough. No secrets.
  var settings: Facts { get }
}

extension SessionProof {
  /// No.
  package func signsBody(of request: HTTPRequest) -> Bool { false }

  /// Nothing.
  package func learning(from reply: HTTPReply, to request: HTTPRequest) -> (any SessionProof)? {
    nil
  }

  /// None.
  package var tokenMembers: TokenMembers { TokenMembers() }

  /// None.
  package func movedEndpoints(since former: any SessionProof) -> [String] { [] }

  /// Nothing.
  package func demand(in reply: HTTPReply) -> StepUp? { nil }

  /// None.
  package func stepUp(
    to demand: StepUp, redirectURI: String
  ) throws(GatebookError) -> LoginMethod {
    throw GatebookError(
      .configurationInvalid, "The method `\(Self.method)` has no stronger login.",
      kept: GatebookError.sessionKept, remedy: "Log in with a method that has one.")
  }

  /// As soon as it is due.
  package func isRenewalUrgent(since renewed: Moment, at moment: Moment) -> Bool {
    needsRenewal(since: renewed, at: moment)
  }

  /// Not known.
  package func isNearlyOver(since renewed: Moment, at moment: Moment) -> Bool { false }

  /// Yes: what proves the session is a login.
  package var canLogInAgain: Bool { true }

  /// No.
  package var isSingleUse: Bool { false }

  /// The one that the session was made at.
  package var renewalOrigin: Origin { origin }

  /// No.
  package var renewsByPassword: Bool { false }

  /// Nothing.
  package func preparation(at moment: Moment) -> (any Authenticator)? { nil }

  /// None.
  package var missingScopes: [String] { [] }

  /// No.
  package var isUnchecked: Bool { false }

  /// None.
  package var fingerprinted: Secret? { nil }

  /// None.
  package func bearer(since renewed: Moment) -> BearerToken? { nil }

  /// No: what was due to be renewed counts as over.
  package func isUsable(since renewed: Moment, at moment: Moment) -> Bool { false }

  /// Any answer below 500 but 429: a server that refuses does not know the session (any more).
  package func hasEnded(_ reply: HTTPReply) -> Bool { reply.status < 500 && reply.status != 429 }

  /// None.
  package func endSessionPage(
    redirectURI: String?, state: String?, namesPerson: Bool
  ) -> HTTPURL? { nil }

  /// Not known.
  package var serverOffset: Duration? { nil }

  /// Yes.
  package var keepsCookies: Bool { true }

  /// Most methods are given something by their server.
  package var livesAtServer: Bool { true }

  /// None.
  package var settings: Facts { [:] }
}

extension SessionProof {
  /// Whether a renewal of the one uses up what the other would renew itself with.
  package func isSpent(with other: any SessionProof) -> Bool {
    guard isSingleUse, other.isSingleUse, let mine = fingerprinted,
      let others = other.fingerprinted
    else { return false }
    return mine == others
  }
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
