/// Requests that must not follow each other closely, and what the last of them brought.
///
/// What they ask for is public and the same for everybody who trusts the same servers: accounts that
/// need it at once, as after a server has changed its keys, share one answer.
struct SpacedRequests {
  /// Who is asked, and whom the answer is taken from: what one account has accepted speaks for no
  /// other one.
  struct Line: Hashable {
    let url: HTTPURL
    let trust: Trust
  }

  private struct Pause {
    /// When the line may go on, by the boot-time clock.
    let end: Duration
    /// The newest answer, whoever asked for it; `nil` while the first is on its way.
    var newest: HTTPReply?
    /// When that was asked for.
    var sent: Duration
    /// Who waits for the first.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private var pauses: [Line: Pause] = [:]

  /// What becomes of a request.
  enum Passage {
    /// It may go.
    case go
    /// It comes too early, and this is the newest answer.
    case recalled(HTTPReply)
    /// Another one is on its way.
    case wait
  }

  /// Judges a request.
  ///
  /// - Parameters:
  ///   - line: Its line.
  ///   - spacing: The least time to the one before it.
  ///   - now: The boot-time clock.
  /// - Returns: What becomes of it.
  mutating func pass(_ line: Line, spacing: Duration, at now: Duration) -> Passage {
    guard spacing > .zero else { return .go }
    pauses = pauses.filter { $0.value.end > now || $0.value.newest == nil }
    guard let pause = pauses[line] else {
      pauses[line] = Pause(end: now + spacing, sent: now)
      return .go
    }
    guard var reply = pause.newest else { return .wait }
    reply.isRecalled = true
    return .recalled(reply)
  }

  /// Waits for the request that is on its way; at once where none is.
  mutating func wait(_ continuation: CheckedContinuation<Void, Never>, on line: Line) {
    guard pauses[line]?.newest == nil, pauses[line] != nil else { return continuation.resume() }
    pauses[line]?.waiting.append(continuation)
  }

  /// Takes the end of a request that was let go: a good answer is shared, any other one leaves the
  /// line open.
  ///
  /// - Parameters:
  ///   - reply: The answer, if it is good for others too.
  ///   - line: The line it went on.
  ///   - spacing: As when it was let go.
  ///   - sent: When it was let go.
  mutating func end(
    with reply: HTTPReply?, on line: Line, spacing: Duration, sent: Duration
  ) {
    guard let pause = pauses[line] else { return }
    if let reply {
      // One that was on its way for long may be older than what is known.
      if pause.newest == nil || sent >= pause.sent {
        pauses[line]?.newest = reply
        pauses[line]?.sent = sent
      }
    } else if spacing > .zero, pause.newest == nil {
      pauses[line] = nil
    } else {
      return
    }
    pauses[line]?.waiting = []
    for continuation in pause.waiting { continuation.resume() }
  }
}

extension SessionBook {
  /// Lets a request pass that must not follow another one closely, or answers it.
  ///
  /// - Returns: The newest answer where it comes too early; else when it was let go.
  func pass(
    _ line: SpacedRequests.Line, spacing: Duration
  ) async -> (recalled: HTTPReply?, sent: Duration) {
    while true {
      let now = clock.now().boot
      switch spacedRequests.pass(line, spacing: spacing, at: now) {
      case .go: return (nil, now)
      case .recalled(let reply): return (reply, now)
      case .wait:
        // At most as long as a request may take.
        await withCheckedContinuation { spacedRequests.wait($0, on: line) }
      }
    }
  }

  /// Takes the end of a request that was let pass.
  func end(
    with reply: HTTPReply?, on line: SpacedRequests.Line, spacing: Duration, sent: Duration
  ) {
    spacedRequests.end(with: reply, on: line, spacing: spacing, sent: sent)
  }
}
