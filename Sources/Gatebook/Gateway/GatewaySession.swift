/// What a communication client needs to connect an account to its gateway.
///
/// The order: create the client with the session's id, tell it whether the network is reachable,
/// set the TLS trust, set the cookies, start it.
///
/// Source: FCSDK for iOS, "Create the session".
public struct GatewaySession: Sendable {
  /// The account.
  public let account: AccountID
  /// The session's id: opaque text of any length and alphabet; pass it on unchanged.
  public let id: Secret
  /// The settings of the login.
  public let gateway: FCSDKGateway
  /// Which TLS servers the account trusts; has no effect without TLS.
  public let trust: Trust
  /// Which of the book's sessions it is: a late word about it must not touch a newer one.
  let session: SessionID
  let generation: Int64
  private let jar: CookieJar

  init?(_ open: OpenSession) {
    guard let proof = open.stored.proof as? FCSDKProof else { return nil }
    account = open.context.account
    id = proof.sessionID
    gateway = proof.gateway
    trust = open.stored.trust
    session = open.session
    generation = open.state.generation
    jar = proof.gateway.useCookies ? open.jar : CookieJar()
  }

  /// The value of the `Cookie` field for a URL of the account, such as the web socket's.
  ///
  /// - Parameters:
  ///   - url: The URL, with `http` for `ws` and `https` for `wss`.
  ///   - now: The time, such as `SystemClock().now().wall`: cookies may have expired.
  /// - Returns: `nil` when no cookie fits, or the account uses none.
  public func cookies(for url: HTTPURL, at now: Timestamp) -> Secret? {
    jar.header(for: url, at: now).map { Secret($0) }
  }
}

extension GatewaySession {
  /// Whether an account's present session is still this one.
  func isOf(_ context: SessionContext) -> Bool {
    context.session == session && context.generation == generation && context.state.isUsable
  }
}
