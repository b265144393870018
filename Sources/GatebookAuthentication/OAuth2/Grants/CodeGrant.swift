internal import GatebookCrypto
internal import GatebookEvents

/// Tokens for a code that a redirect brings (RFC 6749 section 4.1), always with PKCE.
///
/// ```
/// ready     --begin, requests are pushed---> pushing    POST the request (RFC 9126)
/// ready     --begin------------------------> visiting   the authorisation page opens
/// pushing   --2xx with a request_uri-------> visiting   the page opens with that alone
/// pushing   --no endpoint, in trouble------> visiting   with the plain request, unless pushing is
///                                                       demanded
/// pushing   --any other--------------------> the code of TokenRefusal
/// visiting  --redirect of another issuer---> state.mismatch
/// visiting  --redirect with an error-------> the code of AuthorizationRedirect
/// visiting  --redirect with a code---------> redeeming  POST to the token endpoint, sent once
/// redeeming --a grant----------------------> done
/// redeeming --any other--------------------> the code of TokenRefusal
/// ```
struct CodeGrant: OAuth2Granting {
  private enum State {
    case ready
    case pushing(OAuth2Exchange, CodeVisit)
    case visiting(CodeVisit)
    case redeeming(OAuth2Exchange, CodeVisit, code: Secret)
    case ended
  }

  private var state = State.ready
  private let redirectURI: String

  init(redirectURI: String) {
    self.redirectURI = redirectURI
  }

  private var visit: CodeVisit? {
    if case .visiting(let visit) = state { visit } else { nil }
  }

  var waiting: Facts? { visit == nil ? nil : record }

  // MARK: The visit

  mutating func begin(
    _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Step {
    guard ArrivedRedirect(redirectURI) != nil else {
      throw .setting(
        "redirectURI", "it is not an absolute URI.",
        remedy: "Give the redirect URI that is registered for the application.")
    }
    guard login.server.trustsS256 || login.metadata?.takesS256 ?? true else {
      throw login.misfit(
        "PKCE", "the server does not list S256 among its methods.",
        remedy: "If the server accepts S256 all the same, set `trustsS256`.")
    }
    let visit = CodeVisit(input.randomness, withNonce: login.asksForIDToken)
    let isDemanded = login.metadata?.demandsPushedRequests ?? false
    guard isDemanded || login.endpoints.pushedAuthorisationURL != nil else {
      return try open(query(visit, login), visit, login)
    }
    var exchange = OAuth2Exchange(
      try login.url(.pushedAuthorisation),
      query(visit, login).filter {
        // RFC 9126 section 2.1: `client_id` is among the parameters, however the application
        // authenticates; most ways write it already.
        $0.name != "client_id" || !login.writesClientID
      }, proves: false, at: input.moment)
    let step = try exchange.send(login, input)
    state = .pushing(exchange, visit)
    return step
  }

  private func query(
    _ visit: CodeVisit, _ login: OAuth2Login
  ) -> [(name: String, value: String)] {
    var query = [
      (name: "client_id", value: login.application.clientID), ("response_type", "code"),
      ("redirect_uri", redirectURI), ("state", visit.state),
      ("code_challenge", visit.pkce.challenge), ("code_challenge_method", "S256"),
    ]
    if let scope = login.application.scope { query.append(("scope", scope)) }
    if let nonce = visit.nonce { query.append(("nonce", nonce)) }
    if login.application.asksForOfflineAccess { query.append(("prompt", "consent")) }
    // RFC 9470 section 4, as OpenID Connect Core 1.0 section 3.1.2.1 has them.
    if let classes = login.demand?.contextClasses, !classes.isEmpty {
      query.append(("acr_values", classes.joined(separator: " ")))
    }
    if let age = login.demand?.maximumAge {
      query.append(("max_age", "\(age.components.seconds)"))
    }
    // RFC 9449 section 10: the code, too, is good for this key alone.
    if let binding = login.binding { query.append(("dpop_jkt", binding.thumbprint)) }
    return query
  }

  private mutating func open(
    _ query: [(name: String, value: String)], _ visit: CodeVisit, _ login: OAuth2Login
  ) throws(GatebookError) -> Step {
    state = .visiting(visit)
    return .open(
      try login.url(.authorisation).asking(query),
      awaiting: AwaitedRedirect(
        uri: redirectURI, key: "state", value: visit.state, codeName: "code"))
  }

  private mutating func pushed(
    _ reply: HTTPReply, _ exchange: OAuth2Exchange, _ visit: CodeVisit, _ login: OAuth2Login
  ) throws(GatebookError) -> Step {
    let status = StatusClass(reply.status)
    if case .accepted = status,
      let uri = JSONDocument.read(reply.body)?.object?["request_uri"]?.text, !uri.isEmpty
    {
      return try open(
        [("client_id", login.application.clientID), ("request_uri", uri)], visit, login)
    }
    let isDemanded = login.metadata?.demandsPushedRequests ?? false
    switch status {
    case .misplaced where !isDemanded, .unavailable where !isDemanded:
      return try open(query(visit, login), visit, login)
    case .accepted, .redirected, .unauthorised, .forbidden, .misplaced, .unavailable, .refused:
      throw login.explaining(
        TokenRefusal.error(
          reply, .client, at: exchange.url, emptyRefusesClient: true,
          setting: "pushed authorization endpoint"))
    }
  }

  // MARK: The redirect

  mutating func next(
    _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Granted> {
    switch (state, Answer(input)) {
    case (.pushing(let exchange, let visit), .reply(_, let reply)):
      _ = login.learn(from: reply, of: exchange.url, at: input.moment)
      return .step(try pushed(reply, exchange, visit, login))
    case (.visiting(let visit), .redirected(let fields)):
      return .step(try redeem(fields, visit, login, input))
    case (.redeeming(var exchange, let visit, let code), .reply(_, let reply)):
      if let again = try exchange.again(after: reply, &login, input) {
        state = .redeeming(exchange, visit, code: code)
        return .step(again)
      }
      state = .ended
      var granted = try OAuth2Granted(reply, for: .code, of: exchange, login)
      granted.code = code
      granted.nonce = visit.nonce
      return .done(granted)
    case (.pushing, .missing(let failure)), (.redeeming, .missing(let failure)):
      throw failure.error
    case (.ready, _), (.pushing, .begun), (.pushing, .redirected), (.visiting, .begun),
      (.visiting, .reply), (.visiting, .missing), (.redeeming, .begun),
      (.redeeming, .redirected), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  private mutating func redeem(
    _ fields: FormFields, _ visit: CodeVisit, _ login: OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Step {
    try checkIssuer(of: fields, login)
    let code = try AuthorizationRedirect.code(in: fields)
    var exchange = OAuth2Exchange(
      try login.url(.token),
      [
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
        ("code_verifier", visit.pkce.verifier),
      ], at: input.moment)
    let step = try exchange.send(login, input)
    state = .redeeming(exchange, visit, code: Secret(code))
    return step
  }

  /// RFC 9207 section 2.4: a code of another server must not be shown to this one.
  private func checkIssuer(
    of fields: FormFields, _ login: OAuth2Login
  ) throws(GatebookError) {
    // Who types a code brings no response that could name its server.
    guard let metadata = login.metadata, !AwaitedRedirect.typedURIs.contains(redirectURI) else {
      return
    }
    let issuer = fields["iss"]
    if let issuer {
      if issuer.utf8.elementsEqual(metadata.issuer.utf8) { return }
    } else if !metadata.namesIssuerInRedirects {
      return
    }
    throw .atLogin(
      .stateMismatch, issuer == nil ? .answerIssuerMissing : .answerIssuer, remedy: "Log in again.",
      cause: "\(Self.naming(issuer)), but the server is \(metadata.issuer)"
    ).naming([issuer].compactMap(\.self))
  }

  /// What a redirect says of its issuer.
  private static func naming(_ issuer: String?) -> String {
    guard let issuer else { return "it names no issuer" }
    return HTTPURL(issuer) == nil || issuer.utf8.count > 200
      ? "it names an issuer that is not a URL" : "it names the issuer \(issuer)"
  }
}

extension CodeGrant: StoredRecord {
  /// The flow that waits for its redirect.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    redirectURI = try facts.required("redirectURI", kept?.redirectURI)
    state = .visiting(try facts.required("visit", kept?.visit))
  }
}
