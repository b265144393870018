internal import GatebookEvents

/// Asks a server whose a session's token is.
///
/// ```
/// ready    --an ID token was not checked yet-> keys       GET jwks_uri
/// keys     --it is another user's------------> identity.mismatch
/// keys     --any other, no answer------------> as from ready
/// ready    --the server named the person-----> userinfo   GET the userinfo endpoint
/// ready    --there is a check URL------------> checking   as in CheckURLVerification
/// ready    --there is an introspection-------> asking     POST to the introspection endpoint
/// asking   --active, nobody else's-----------> finish, or identity.mismatch
/// asking   --not active----------------------> session.refused, or login.unprovable without a renewal
/// asking   --any other-----------------------> the code of Introspection
/// ready    --neither-------------------------> login.unprovable, or finish after a checked ID token
/// userinfo --200 with `sub`------------------> finish, or identity.mismatch
/// userinfo --200, but not the ID token's `sub`> as from ready without a userinfo endpoint and an
///                                               introspection: what it says counts for nothing
/// userinfo --200 signed by an unknown key----> newest     GET jwks_uri, once
/// newest   --keys----------------------------> as from userinfo
/// userinfo --401-----------------------------> session.refused
/// userinfo --404 405 410 415-----------------> configuration.invalid
/// userinfo --408 425 429 5xx-----------------> server.unavailable
/// userinfo --any other-----------------------> server.moved, server.refused, content.unexpected
/// ```
struct OAuth2Verification<Kind: OAuth2Kind>: OAuth2Machine {
  var turn = Turn<Self>.ready
  var login: OAuth2Login
  private let proof: OAuth2Proof<Kind>
  private var identity: KeptIdentity
  private var hasNewestKeys = false
  private var areKeysRecalled = false
  /// Whether the ID token of a refresh has proven the session.
  private var isProven = false
  /// Whether the page about the user was about somebody else.
  private var isPageDropped = false
  /// Why the ID token of a refresh counts for nothing.
  private var refusal: IDTokenRefusal?

  init(_ proof: OAuth2Proof<Kind>) {
    self.proof = proof
    login = proof.login
    identity = proof.identity
  }

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    guard let idToken = identity.unchecked, let url = login.endpoints.keysURL else {
      return try prove(input)
    }
    return send(ServerKeys.request(url, isForced: true)) { machine, arrival in
      try machine.check(idToken, arrival)
      return try machine.prove(arrival.input)
    } missing: { machine, _, input in
      try machine.prove(input)
    }
  }

  /// Checks the ID token of a refresh with the server's newest keys; keys that cannot be had change
  /// nothing.
  private mutating func check(_ idToken: String, _ arrival: Arrival) throws(GatebookError) {
    guard takeKeys(of: arrival.reply) else { return }
    let taken = try identity.take(
      idToken, with: proof.tokens, try login.identityCheck(), at: arrival.input.moment.wall)
    switch taken {
    case .trusted: isProven = true
    case .refused(let refusal): self.refusal = refusal
    case .ignored: break
    case .unknownKey where areKeysRecalled: break
    case .unknownKey:
      // With the newest keys at hand, one that is unknown still will stay so.
      identity.unchecked = nil
      refusal = .token(.unknownKey)
    }
  }

  /// Takes the server's newest keys.
  ///
  /// - Returns: Whether the answer had any.
  private mutating func takeKeys(of reply: HTTPReply) -> Bool {
    guard reply.status == 200, (try? JSONWebKeySet(document: reply.body)) != nil,
      let document = ServerKeys.kept(reply)
    else { return false }
    identity.keys = document
    hasNewestKeys = true
    areKeysRecalled = reply.recalled != nil
    return true
  }

  private mutating func prove(_ input: Input) throws(GatebookError) -> Step {
    if identity.isNamed, !isPageDropped, let url = login.endpoints.userInfoURL {
      let exchange = OAuth2Exchange(url, by: proof.tokens, at: input.moment)
      return try ask(exchange, input) { try $0.told($1, $2.url) }
    }
    if let url = login.checkURL {
      var check = CheckURLVerification(
        url, person: proof.person, proof: verified, jar: CookieJar(),
        isForbiddenToStrangers: identity.isForbiddenToStrangers)
      check.refusedIDToken = refusal?.code
      return try follow(check, input.starting)
    }
    if !isPageDropped, let url = login.usableIntrospectionURL {
      let question = Introspection.question(proof.tokens, to: url, at: input.moment)
      return try ask(question, input) { machine, arrival, _ in
        let answer = try Introspection(arrival.reply, from: url)
        return .finish(try machine.told(answer, arrival.reply))
      }
    }
    guard isProven else {
      guard !isPageDropped else { throw Self.pageOfAnother }
      throw GatebookError(
        .loginUnprovable, "This server has nothing that can confirm a session.",
        kept: "The session is unchanged.",
        remedy: "Use the session: the server rejects it if it has ended.")
    }
    return .finish(outcome(userID: identity.userID, UserAttributes()))
  }

  private func told(
    _ introspection: Introspection, _ reply: HTTPReply
  ) throws(GatebookError) -> Outcome {
    guard introspection.isActive else {
      // RFC 7662 section 2.2 demands this answer, too, of a server that does not let the
      // application ask about this token. A renewal finds out; without one only a use of the token
      // does.
      throw .atLogin(
        proof.isRenewable ? .sessionRefused : .loginUnprovable,
        "The server says that the token is not valid, or that this client may not ask about it.",
        remedy: "Use the session: the server rejects it if it has ended.", status: reply.status)
    }
    // Else the account's name is the app's own, which no server says.
    let told = identity.isNamed ? introspection.user(isUsername: identity.isUsername) : nil
    return outcome(userID: told ?? identity.userID, UserAttributes())
  }

  private mutating func told(_ page: Arrival, _ url: HTTPURL) throws(GatebookError) -> Step {
    let (reply, input) = (page.reply, page.input)
    let verdict = try login.user(
      in: reply, keys: identity.keySet, of: identity.claims, at: input.moment.wall)
    if case .unknownKey = verdict, !hasNewestKeys, let keys = login.endpoints.keysURL {
      return send(ServerKeys.request(keys, isForced: true)) { machine, arrival in
        machine.hasNewestKeys = true
        _ = machine.takeKeys(of: arrival.reply)
        return try machine.told(Arrival(reply: reply, input: arrival.input), url)
      }
    }
    switch page.status {
    case .accepted: break
    case .unauthorised:
      throw .sessionRefused(status: reply.status, serverCode: reply.refusalCode)
    case .redirected, .forbidden, .misplaced, .unavailable, .refused:
      throw .answered(reply, at: url, setting: OAuth2Server.Endpoint.userInfo.rawValue)
    }
    switch verdict {
    case .accepted(let user):
      var facts = identity.told
      facts.merge(user.facts)
      return .finish(
        outcome(
          userID: user.subject, OAuth2Identity.attributes(facts, subject: user.subject)))
    case .unknownKey:
      // Only keys that were asked for after the page came can tell that its own is none of them.
      throw areKeysRecalled
        ? .askedAMomentAgo : IDTokenRefusal.token(.unknownKey).errorOfUserInfo
    case .refused(.userInfoSubject):
      // OpenID Connect Core 1.0 section 5.3.2: "the UserInfo Response values MUST NOT be used", so
      // not to end a session either: the ID token has said whose it is.
      isPageDropped = true
      return try prove(input)
    case .refused(.userInfo) where JSONDocument.read(reply.body)?.object == nil:
      throw Self.noPage(reply)
    case .refused(.userInfo) where identity.claims == nil:
      throw .atLogin(
        .contentUnexpected, .userInfo, remedy: "Ask the server's administrator.",
        status: reply.status)
    case .refused(let refusal): throw refusal.errorOfUserInfo
    }
  }

  /// Something else in the place of the page about the user, such as what a server shows while it
  /// is mended.
  private static func noPage(_ reply: HTTPReply) -> GatebookError {
    GatebookError(
      .contentUnexpected, .answer, of: "the server's page about the user",
      kept: "The session and its attributes are unchanged.", remedy: "Try again later.",
      cause: "ID token: \(IDTokenRefusal.userInfo.reason)", status: reply.status)
  }

  /// Why a session is not proven by a page that is about somebody else.
  private static var pageOfAnother: GatebookError {
    GatebookError(
      .loginUnprovable, .userInfoSubject,
      kept: "The session and its attributes are unchanged.",
      remedy:
        "Use the session: the server rejects it if it has ended. Tell the server's administrator.",
      cause: "ID token: \(IDTokenRefusal.userInfoSubject.reason)", status: 200)
  }

  private func outcome(userID: String, _ attributes: UserAttributes) -> Outcome {
    var outcome = Outcome(
      person: login.person(Kind.method, userID: userID, loginName: identity.loginName),
      evidence: .identity, attributes: attributes, proof: verified, jar: CookieJar())
    outcome.refusedIDToken = refusal?.code
    return outcome
  }

  private var verified: OAuth2Proof<Kind> {
    OAuth2Proof(login, tokens: proof.tokens, identity)
  }
}
