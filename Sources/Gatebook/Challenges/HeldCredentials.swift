internal import GatebookSystem

/// What one process remembers of the servers that ask a session for credentials: which credential
/// answers whom, and how often each nonce was used.
///
/// Requests overlap; each takes its own nonce count before it is sent. A lock and no actor: each
/// request asks several times, and a task that leaves the book's actor waits to come back.
final class HeldCredentials: Sendable {
  /// One request with the credential that it carries.
  struct Attempt: Sendable {
    var attempt: HTTPAttempt
    /// Which credential; `nil` for none.
    var index: Int?
  }

  private struct State: Sendable {
    /// `nil` in the place of one that was forgotten: attempts under way know their index.
    var authorizers: [HTTPAuthorizer?]
    /// Which of them serve only the conversation that they were given to: for this request alone,
    /// or until the server accepts them.
    var reserved: Set<Int> = []
    /// What a proxy on the way gets.
    var proxy: ProxyCredential?

    func serves(_ index: Int, _ own: [Int]) -> Bool {
      !reserved.contains(index) || own.contains(index)
    }
  }

  /// Whether the first credential is what the session itself is made of.
  let hasOwn: Bool
  private let state: Locked<State>
  private let random: any RandomSource

  /// - Parameters:
  ///   - authorizers: What the session holds, its own one first.
  ///   - random: Where client nonces come from.
  ///   - hasOwn: Whether the first one is what the session itself is made of.
  ///   - proxy: What a proxy on the way gets.
  init(
    _ authorizers: [HTTPAuthorizer], random: any RandomSource, hasOwn: Bool = false,
    proxy: ProxyCredential? = nil
  ) {
    state = Locked(State(authorizers: authorizers, proxy: proxy))
    self.random = random
    self.hasOwn = hasOwn
  }

  /// What a proxy on the way gets.
  var proxy: ProxyCredential? { state.withLock { $0.proxy } }

  /// Gives a proxy this from now on; `nil` for nothing.
  func set(_ proxy: ProxyCredential?) { state.withLock { $0.proxy = proxy } }

  /// Whether a proxy is to get something else by now than what it has refused, which is forgotten.
  func hasOther(than refused: ProxyCredential?, for proxy: Origin) -> Bool {
    state.withLock { state in
      guard let current = state.proxy, current.proxy == proxy else { return false }
      guard current == refused else { return true }
      state.proxy = nil
      return false
    }
  }

  /// Adds `Authorization` where a server is known to want it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - own: Which were given to the conversation that sends it.
  /// - Returns: What to send.
  func authorise(_ request: HTTPRequest, with own: [Int]) -> Attempt {
    state.withLock { state in
      // The session's own credential goes first: another one may only be for a proxy in front of
      // it.
      let others = state.authorizers.indices.dropFirst(hasOwn ? 1 : 0).reversed()
      for index in (hasOwn ? [0] : []) + others where state.serves(index, own) {
        let attempt = state.authorizers[index]?.authorise(request, random: random.bytes(16))
        if let attempt, attempt.isAnswer { return Attempt(attempt: attempt, index: index) }
      }
      return Attempt(attempt: HTTPAttempt(unanswered: request), index: nil)
    }
  }

  /// Whether a credential's answer is made over the body of that request.
  func signsBody(of request: HTTPRequest) -> Bool {
    state.withLock { $0.authorizers.contains { $0?.signsBody(of: request) == true } }
  }

  /// Whether the server may answer with a challenge that a credential answers: then the request is
  /// sent again.
  ///
  /// A nonce of Digest may be stale. Basic is final.
  func isAsked(_ sent: Attempt) -> Bool {
    guard !sent.attempt.isFinal else { return false }
    let server = sent.attempt.request.url.origin
    return state.withLock { $0.authorizers.contains { $0?.server == server } }
  }

  /// Judges a reply by the credential that its request carried.
  func receive(_ reply: HTTPReply, to sent: Attempt) -> HTTPAuthorizer.Verdict {
    guard let index = sent.index else { return .final }
    return state.withLock { state in
      state.authorizers[index]?.receive(reply, to: sent.attempt, random: random.bytes(16))
        ?? .final
    }
  }

  /// The weakest scheme that a credential answers by now.
  func strength(of index: Int) -> HTTPStrength? {
    state.withLock { $0.authorizers[index]?.floor }
  }

  /// Stops using these: they were given for once, or were refused.
  func forget(_ indices: [Int]) {
    state.withLock { state in
      for index in indices { state.authorizers[index] = nil }
    }
  }

  /// Lets all conversations use what the server has taken.
  func share(_ index: Int) { state.withLock { _ = $0.reserved.remove(index) } }

  /// An answer by another credential than those that were tried; `nil` when none fits.
  func answer(
    _ reply: HTTPReply, to sent: Attempt, besides tried: Set<Int>, with own: [Int]
  ) -> Attempt? {
    state.withLock { state in
      for index in state.authorizers.indices
      where index != sent.index && !tried.contains(index) && state.serves(index, own) {
        if let answer = answer(reply, to: sent, by: index, in: &state) { return answer }
      }
      return nil
    }
  }

  /// An answer by a credential that was just given; `nil` when the server asks by a scheme that it
  /// cannot answer.
  func answer(
    _ reply: HTTPReply, to sent: Attempt, with authorizer: HTTPAuthorizer
  ) -> Attempt? {
    state.withLock { state in
      state.authorizers.append(authorizer)
      let index = state.authorizers.count - 1
      let answer = answer(reply, to: sent, by: index, in: &state)
      if answer == nil {
        state.authorizers[index] = nil
      } else {
        state.reserved.insert(index)
      }
      return answer
    }
  }

  private func answer(
    _ reply: HTTPReply, to sent: Attempt, by index: Int, in state: inout State
  ) -> Attempt? {
    let bare = HTTPAttempt(unanswered: sent.attempt.request)
    guard state.authorizers[index]?.server == bare.request.url.origin,
      case .resend(let next)? = state.authorizers[index]?.receive(
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
