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
    /// The newest answer, whoever asked for it; `nil` for none that is good for others.
    var newest: HTTPReply?
    /// When that was asked for.
    var sent: Duration
    /// Whether the first request is still on its way.
    var isUnderWay = true
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
    /// It comes too early, and the one before it brought nothing.
    case refused
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
    pauses = pauses.filter { $0.value.end > now || $0.value.isUnderWay }
    guard let pause = pauses[line] else {
      pauses[line] = Pause(end: now + spacing, sent: now)
      return .go
    }
    guard !pause.isUnderWay else { return .wait }
    guard var reply = pause.newest else { return .refused }
    reply.isRecalled = true
    return .recalled(reply)
  }

  /// Takes the end of a request that was let go.
  ///
  /// - Parameters:
  ///   - line: The line it went on.
  ///   - spacing: As when it was let go.
  ///   - sent: When it was let go.
  ///   - reply: The answer, if it is good for others too.
  ///   - isSent: Whether the server was asked at all; else the line is open again.
  mutating func end(
    _ line: Line, spacing: Duration, sent: Duration, with reply: HTTPReply?, isSent: Bool
  ) {
    guard let pause = pauses[line] else { return }
    // One that was on its way for long may be older than what is known.
    if let reply, pause.newest == nil || sent >= pause.sent {
      pauses[line]?.newest = reply
      pauses[line]?.sent = sent
    }
    guard spacing > .zero else { return }
    if isSent { pauses[line]?.isUnderWay = false } else { pauses[line] = nil }
  }
}

extension SessionBook {
  /// Lets a request pass that must not follow another one closely, or answers it.
  ///
  /// - Parameters:
  ///   - line: Its line.
  ///   - limits: How long it may take, and its spacing.
  /// - Returns: The newest answer where it comes too early; else when it was let go.
  /// - Throws: `server.unavailable` where it comes too early and there is no answer, `cancelled`; it was
  ///   not sent.
  func pass(
    _ line: SpacedRequests.Line, _ limits: HTTPLimits
  ) async throws(TransportFailure) -> (recalled: HTTPReply?, sent: Duration) {
    let spacing = limits.spacing ?? .zero
    var waited = Duration.zero
    while true {
      let now = clock.now().boot
      switch spacedRequests.pass(line, spacing: spacing, at: now) {
      case .go: return (nil, now)
      case .recalled(let reply): return (reply, now)
      case .refused: throw TransportFailure(.askedAMomentAgo, delivery: .notSent)
      case .wait:
        // Somebody may be asked on the other's way; nobody waits for that for ever.
        guard waited < limits.total else { return (nil, now) }
        waited += Self.glance
        guard (try? await Task.sleep(for: Self.glance)) != nil else {
          throw TransportFailure(AuthenticatorRun.cancelled, delivery: .notSent)
        }
      }
    }
  }

  /// Takes the end of a request that was let pass.
  func end(
    _ line: SpacedRequests.Line, spacing: Duration, sent: Duration, with reply: HTTPReply?,
    isSent: Bool
  ) {
    spacedRequests.end(line, spacing: spacing, sent: sent, with: reply, isSent: isSent)
  }

  private static let glance = Duration.milliseconds(50)
}
