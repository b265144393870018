/// Requests that must not follow each other closely, and what the last of them brought.
///
/// What they ask for is public and the same for everybody who trusts the same servers: accounts that
/// need it at once, as after a server has changed its keys, share one answer.
struct SpacedRequests {
  private struct Line: Hashable {
    let url: HTTPURL
    let trust: Trust
  }

  private struct Pause {
    /// When the line may go on, by the boot-time clock.
    let end: Duration
    /// The newest answer, whoever asked for it; `nil` until there is one.
    var newest: HTTPReply?
  }

  private var pauses: [Line: Pause] = [:]

  /// Lets a request pass, answers it, or refuses it.
  ///
  /// - Parameters:
  ///   - request: What is to be sent.
  ///   - trust: Whom the answer would be taken from: what one account has accepted speaks for no
  ///     other one.
  ///   - now: The boot-time clock.
  /// - Returns: `nil` for a request that may go; the newest answer for one that comes too early.
  /// - Throws: `server.unavailable` where it comes too early and there is no answer; it was not sent.
  mutating func pass(
    _ request: HTTPRequest, trusting trust: Trust, at now: Duration
  ) throws(TransportFailure) -> HTTPReply? {
    guard let spacing = request.limits.spacing, spacing > .zero else { return nil }
    pauses = pauses.filter { $0.value.end > now }
    let line = Line(url: request.url, trust: trust)
    guard let pause = pauses[line] else {
      pauses[line] = Pause(end: now + spacing)
      return nil
    }
    if var reply = pause.newest {
      reply.isRecalled = true
      return reply
    }
    throw TransportFailure(.askedAMomentAgo, delivery: .notSent)
  }

  /// Keeps an answer for those who ask again too early.
  mutating func keep(_ reply: HTTPReply, to request: HTTPRequest, trusting trust: Trust) {
    guard request.limits.spacing != nil, reply.status == 200 else { return }
    pauses[Line(url: request.url, trust: trust)]?.newest = reply
  }
}

extension SessionBook {
  /// Lets a request pass that must not follow another one closely, or answers it.
  func pass(
    _ request: HTTPRequest, trusting trust: Trust
  ) throws(TransportFailure) -> HTTPReply? {
    try spacedRequests.pass(request, trusting: trust, at: clock.now().boot)
  }

  /// Keeps what is the same for everybody who asks.
  func keep(_ reply: HTTPReply, to request: HTTPRequest, trusting trust: Trust) {
    spacedRequests.keep(reply, to: request, trusting: trust)
  }
}
