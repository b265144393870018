internal import GatebookCrypto
internal import GatebookEvents

/// A visit of the authorisation page that is to bring a code (RFC 6749 section 4.1).
struct CodeGrant: Sendable {
  /// Where the server sends the browser.
  let redirectURI: String
  /// What the redirect is checked by.
  let visit: CodeVisit
}

extension CodeGrant: StoredRecord {
  /// A login whose redirect has not come yet.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    redirectURI = try facts.required("redirectURI", kept?.redirectURI)
    visit = try facts.required("visit", kept?.visit)
  }
}

/// Tokens for a code that a redirect brings, always with PKCE.
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
/// visiting  --redirect with a code---------> as in OAuth2Granting
/// ```
extension OAuth2Granting {
  // MARK: The visit

  /// Opens the authorisation page.
  ///
  /// - Throws: `configuration.invalid` for settings that cannot work.
  mutating func openPage(
    redirectURI: String, _ input: Input
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
    let grant = CodeGrant(
      redirectURI: redirectURI,
      visit: CodeVisit(input.randomness, withNonce: login.asksForIDToken))
    let query = login.query(of: grant)
    let isDemanded = login.metadata?.demandsPushedRequests ?? false
    guard isDemanded || login.endpoints.pushedAuthorisationURL != nil else {
      return try open(query, grant)
    }
    let exchange = OAuth2Exchange(
      try login.url(.pushedAuthorisation),
      // RFC 9126 section 2.1: `client_id` is among the parameters, however the application
      // authenticates; most ways write it already.
      query.filter { $0.name != "client_id" || !login.writesClientID }, proves: false,
      at: input.moment)
    return try ask(exchange, input) { machine, arrival, exchange in
      let (status, reply) = (arrival.status, arrival.reply)
      if case .accepted = status,
        let uri = JSONDocument.read(reply.body)?.object?["request_uri"]?.text, !uri.isEmpty
      {
        return try machine.open(
          [("client_id", machine.login.application.clientID), ("request_uri", uri)], grant)
      }
      guard !isDemanded, [.misplaced, .unavailable].contains(status) else {
        throw machine.login.explaining(
          TokenRefusal.error(
            reply, .client, at: exchange.url, emptyRefusesClient: true,
            setting: "pushed authorization endpoint"))
      }
      return try machine.open(query, grant)
    }
  }

  private mutating func open(
    _ query: [(name: String, value: String)], _ grant: CodeGrant
  ) throws(GatebookError) -> Step {
    wait(for: grant)
    return .open(
      try login.url(.authorisation).asking(query),
      awaiting: AwaitedRedirect(
        uri: grant.redirectURI, key: "state", value: grant.visit.state, codeName: "code"))
  }

  // MARK: The redirect

  /// Waits for the redirect that ends a visit.
  mutating func wait(for grant: CodeGrant) {
    visit = grant
    turn = .person { try $0.redeem($1, of: grant, $2) }
  }

  private mutating func redeem(
    _ fields: FormFields, of grant: CodeGrant, _ input: Input
  ) throws(GatebookError) -> Step {
    try login.checkIssuer(of: fields, at: grant.redirectURI)
    let code = try AuthorizationRedirect.code(in: fields)
    return try obtain(
      [
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", grant.redirectURI),
        ("code_verifier", grant.visit.pkce.verifier),
      ], for: .code, input
    ) {
      $0.code = Secret(code)
      $0.nonce = grant.visit.nonce
    }
  }
}

extension OAuth2Login {
  /// What the authorisation page is asked with.
  fileprivate func query(of grant: CodeGrant) -> [(name: String, value: String)] {
    let visit = grant.visit
    var query = [
      (name: "client_id", value: application.clientID), ("response_type", "code"),
      ("redirect_uri", grant.redirectURI), ("state", visit.state),
      ("code_challenge", visit.pkce.challenge), ("code_challenge_method", "S256"),
    ]
    query += application.scopeParameter
    if let nonce = visit.nonce { query.append(("nonce", nonce)) }
    if application.asksForOfflineAccess, !isPortal { query.append(("prompt", "consent")) }
    // RFC 9470 section 4, as OpenID Connect Core 1.0 section 3.1.2.1 has them.
    if let classes = demand?.contextClasses, !classes.isEmpty {
      query.append(("acr_values", classes.joined(separator: " ")))
    }
    if let age = demand?.maximumAge { query.append(("max_age", "\(age.components.seconds)")) }
    // RFC 9449 section 10: the code, too, is good for this key alone.
    if let binding { query.append(("dpop_jkt", binding.thumbprint)) }
    return query
  }

  /// RFC 9207 section 2.4: a code of another server must not be shown to this one.
  fileprivate func checkIssuer(
    of fields: FormFields, at redirectURI: String
  ) throws(GatebookError) {
    // Who types a code brings no response that could name its server.
    guard let metadata, !AwaitedRedirect.typedURIs.contains(redirectURI) else {
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
