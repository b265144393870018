/// What one process remembers of the servers that ask a session for credentials: which credential
/// answers whom, and how often each nonce was used.
///
/// Requests overlap; each takes its own nonce count before it is sent.
actor HeldCredentials {
  /// One request with the credential that it carries.
  struct Attempt: Sendable {
    var attempt: HTTPAttempt
    /// Which credential; `nil` for none.
    var index: Int?
  }

  /// Whether the first credential is what the session itself is made of.
  nonisolated let hasOwn: Bool
  /// `nil` in the place of one that was forgotten: attempts under way know their index.
  private var authorizers: [HTTPAuthorizer?]
  /// Which of them serve only the conversation that they were given to: for this request alone, or
  /// until the server accepts them.
  private var reserved: Set<Int> = []
  private let random: any RandomSource
  /// What a proxy on the way gets.
  private(set) var proxy: ProxyCredential?

  /// - Parameters:
  ///   - authorizers: What the session holds, its own one first.
  ///   - random: Where client nonces come from.
  ///   - hasOwn: Whether the first one is what the session itself is made of.
  ///   - proxy: What a proxy on the way gets.
  init(
    _ authorizers: [HTTPAuthorizer], random: any RandomSource, hasOwn: Bool = false,
    proxy: ProxyCredential? = nil
  ) {
    self.proxy = proxy
    self.authorizers = authorizers
    self.random = random
    self.hasOwn = hasOwn
  }

  /// Gives a proxy this from now on; `nil` for nothing.
  func set(_ proxy: ProxyCredential?) { self.proxy = proxy }

  /// Whether a proxy is to get something else by now than what it has refused, which is forgotten.
  func hasOther(than refused: ProxyCredential?, for proxy: Origin) -> Bool {
    guard let current = self.proxy, current.proxy == proxy else { return false }
    guard current == refused else { return true }
    self.proxy = nil
    return false
  }

  /// Adds `Authorization` where a server is known to want it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - own: Which were given to the conversation that sends it.
  /// - Returns: What to send.
  func authorise(_ request: HTTPRequest, with own: [Int]) -> Attempt {
    // The session's own credential goes first: another one may only be for a proxy in front of it.
    let others = authorizers.indices.dropFirst(hasOwn ? 1 : 0).reversed()
    for index in (hasOwn ? [0] : []) + others where serves(index, own) {
      let attempt = authorizers[index]?.authorise(request, random: random.bytes(16))
      if let attempt, attempt.isAnswer { return Attempt(attempt: attempt, index: index) }
    }
    return Attempt(attempt: HTTPAttempt(unanswered: request), index: nil)
  }

  /// Whether a credential's answer is made over the body of that request.
  func signsBody(of request: HTTPRequest) -> Bool {
    authorizers.contains { $0?.signsBody(of: request) == true }
  }

  /// Whether the server may answer with a challenge that a credential answers: then the request is
  /// sent again.
  ///
  /// A nonce of Digest may be stale. Basic is final.
  func isAsked(_ sent: Attempt) -> Bool {
    guard !sent.attempt.isFinal else { return false }
    let server = sent.attempt.request.url.origin
    return authorizers.contains { $0?.server == server }
  }

  /// Judges a reply by the credential that its request carried.
  func receive(_ reply: HTTPReply, to sent: Attempt) -> HTTPAuthorizer.Verdict {
    guard let index = sent.index else { return .final }
    return authorizers[index]?.receive(reply, to: sent.attempt, random: random.bytes(16))
      ?? .final
  }

  /// The weakest scheme that a credential answers by now.
  func strength(of index: Int) -> HTTPStrength? { authorizers[index]?.floor }

  /// Stops using these: they were given for once, or were refused.
  func forget(_ indices: [Int]) {
    for index in indices { authorizers[index] = nil }
  }

  /// Lets all conversations use what the server has taken.
  func share(_ index: Int) { reserved.remove(index) }

  private func serves(_ index: Int, _ own: [Int]) -> Bool {
    !reserved.contains(index) || own.contains(index)
  }

  /// An answer by another credential than those that were tried; `nil` when none fits.
  func answer(
    _ reply: HTTPReply, to sent: Attempt, besides tried: Set<Int>, with own: [Int]
  ) -> Attempt? {
    for index in authorizers.indices
    where index != sent.index && !tried.contains(index) && serves(index, own) {
      if let answer = answer(reply, to: sent, by: index) { return answer }
    }
    return nil
  }

  /// An answer by a credential that was just given; `nil` when the server asks by a scheme that it
  /// cannot answer.
  func answer(
    _ reply: HTTPReply, to sent: Attempt, with authorizer: HTTPAuthorizer
  ) -> Attempt? {
    authorizers.append(authorizer)
    let index = authorizers.count - 1
    let answer = answer(reply, to: sent, by: index)
    if answer == nil { authorizers[index] = nil } else { reserved.insert(index) }
    return answer
  }

  private func answer(_ reply: HTTPReply, to sent: Attempt, by index: Int) -> Attempt? {
    let bare = HTTPAttempt(unanswered: sent.attempt.request)
    guard authorizers[index]?.server == bare.request.url.origin,
      case .resend(let next)? = authorizers[index]?.receive(
        reply, to: bare, random: random.bytes(16))
    else { return nil }
    return Attempt(attempt: next, index: index)
  }
}

/// The held credentials of an account's session, as long as its secrets are the same.
struct SessionCredentials: Sendable {
  let session: SessionID
  let generation: Int64
  let held: HeldCredentials
}
