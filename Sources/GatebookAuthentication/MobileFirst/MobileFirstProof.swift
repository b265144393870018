package import GatebookEvents

/// What a session at a MobileFirst server is made of: the client, the check that named the user,
/// and the tokens by scope.
///
/// It adds cookies to a request, never a token: which token fits depends on the resource, and that
/// is the business of the authorization manager.
package struct MobileFirstProof: LogoutCapable {
  /// Frozen: it is stored in events.
  package static let method = MobileFirstApp.method

  /// The account's client.
  package var registration: ClientRegistration
  /// The check that named the account's user.
  package let check: String
  /// Who logged in.
  package let userID: String
  /// The tokens by their normalised scopes; those that have ended go with the next one that comes.
  package private(set) var tokens: [String: AccessToken]

  /// Makes a proof.
  package init(
    registration: ClientRegistration, check: String, userID: String,
    tokens: [String: AccessToken] = [:]
  ) {
    self.registration = registration
    self.check = check
    self.userID = userID
    self.tokens = tokens
  }

  /// The server's.
  package var origin: Origin { registration.app.server.origin }

  /// App and check.
  package var settings: Facts { registration.app.settings(check: check) }

  /// A token that can be used now.
  package func token(for scope: AuthorizationScope, at now: Moment) -> AccessToken? {
    tokens[scope.description].flatMap { $0.isLive(at: now) ? $0 : nil }
  }

  /// Takes a token, and drops those that have ended.
  package mutating func keep(_ token: AccessToken, at now: Moment) {
    tokens = tokens.filter { $0.value.isLive(at: now) }
    tokens[token.scope] = token
  }

  /// Forgets one scope's token, or with `nil` all of them.
  ///
  /// - Returns: Whether there was anything to forget.
  package mutating func clear(_ scope: String?) -> Bool {
    guard let scope else {
      defer { tokens = [:] }
      return !tokens.isEmpty
    }
    return tokens.removeValue(forKey: scope) != nil
  }

  /// Adds the jar's cookies.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    request.carrying(jar, at: moment)
  }

  /// Nothing: the retry rules of resources judge.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict { .unaffected }

  /// Asks the server whether the check still holds; an open challenge ends no session.
  package func verification(jar: CookieJar) -> any Authenticator {
    MobileFirstVerification(self, jar: jar)
  }

  /// The end of the check's state at the server.
  package func logOut(jar: CookieJar, at moment: Moment) -> [HTTPRequest] {
    let requests = MobileFirstRequests(app: registration.app)
    let request = try? requests.logout(check: check, of: registration, at: moment)
    return request.map { [$0.carrying(jar, at: moment)] } ?? []
  }

  /// 2xx alone: a refused logout is not shown as done.
  package func hasEnded(_ reply: HTTPReply) -> Bool {
    StatusClass(reply.status) == .accepted
  }
}

extension MobileFirstProof: StoredRecord {
  /// Registration, user and tokens.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let tokens = kept?.tokens.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    self.init(
      registration: try facts.required("registration", kept?.registration),
      check: try facts.required("check", kept?.check),
      userID: try facts.required("user", kept?.userID))
    for token in try facts.required("tokens", tokens?.map(\.value)) {
      self.tokens[token.scope] = token
    }
  }
}
