extension AuthorizationManager {
  /// Sends a request to a protected resource with the token that it needs, and sends it again by
  /// the retry rules.
  ///
  /// The token has the given scope, or the one that the resource demanded before; otherwise the
  /// first request has no token. After 4 retries because of the token, or 7 conflicts, the last
  /// answer goes to the caller. GET and HEAD follow redirects within the account's own origins.
  ///
  /// - Parameters:
  ///   - request: The request; its URL must be of the server, or an origin that was allowed.
  ///   - scope: The scope that the resource needs, if known.
  /// - Returns: The answer with any status.
  /// - Throws: `origin.foreign` before anything is sent; what ``obtainAccessToken(forScope:)``
  ///   throws, such as `challenge.unhandled`; `network.unreachable`; `limit.exceeded`.
  public func send(
    _ request: HTTPRequest, scope: String? = nil
  ) async throws(GatebookError) -> HTTPReply {
    guard try await owns(request.url) else { throw await book.foreign(request.url, account) }
    // The resource may ask for another token first: then the request is sent again.
    var request = try await request.withBodyInMemory(book.effects.clock)
    for _ in 0...Requests.maximumHops {
      guard try await owns(request.url) else { throw await book.foreign(request.url, account) }
      let reply = try await exchange(request, scope)
      guard let url = Requests.target(of: reply, request), try await owns(url) else {
        return try request.handingOver(reply)
      }
      request.url = url
    }
    throw Requests.roundInCircles
  }

  private func owns(_ url: HTTPURL) async throws(GatebookError) -> Bool {
    if ([app.server.origin] + options.origins).contains(url.origin) { return true }
    guard let account, let (session, _) = try await book.authorizationSession(of: account) else {
      return false
    }
    return session.stored.owns(url)
  }

  private func exchange(
    _ request: HTTPRequest, _ given: String?
  ) async throws(GatebookError) -> HTTPReply {
    let resource = "\(request.method) \(request.url.withoutQuery)"
    var retry = ResourceRetry()
    var refusals = Refusals()
    var scope = given ?? resourceScopes[resource]
    while true {
      let token: AccessToken? =
        if let scope { try await obtainAccessToken(forScope: scope) } else { nil }
      let exchanged = try await deliver(request, token, &refusals)
      let reply = exchanged.reply
      switch retry.next(reply, scope: token?.scope) {
      case .done: return reply
      case .resend: continue
      case .renew(let refused):
        if let token { try await clear(token, cause: "refused") }
        scope = refused
      case .obtain(let wanted):
        // Text that repeats a secret is no scope, because a scope is stored in the clear.
        let names = wanted.split(separator: " ").map(String.init)
        guard exchanged.credentials.leaks(among: names).isEmpty else { return reply }
        resourceScopes[resource] = wanted
        if let account { await book.remember(wanted, for: resource, of: account) }
        // The same scope once more: the token that was just refused would be served again.
        if let token, AuthorizationScope(wanted).description == token.scope {
          try await clear(token, cause: "refused")
        }
        scope = wanted
      }
    }
  }

  private func deliver(
    _ request: HTTPRequest, _ token: AccessToken?, _ refusals: inout Refusals
  ) async throws(GatebookError) -> Conversation.Exchanged {
    if let account, let (session, _) = try await book.authorizationSession(of: account) {
      return try await book.deliver(request, token, session, &refusals)
    }
    let now = book.effects.clock.now()
    let carried = request.carrying(guest.jar, at: now).carrying(token)
    // Beside a login that is under way it belongs to that one.
    var conversation = try await conversation(at: place?.session == nil ? place : nil)
    conversation.refusals = refusals
    defer { refusals = conversation.refusals }
    do throws(TransportFailure) {
      let exchanged = try await conversation.send(carried)
      _ = guest.jar.receive(
        exchanged.reply, from: request.url, at: now.wall, suffixes: book.effects.suffixes)
      await learn(from: conversation)
      return exchanged
    } catch {
      await learn(from: conversation)
      throw error.error
    }
  }
}
