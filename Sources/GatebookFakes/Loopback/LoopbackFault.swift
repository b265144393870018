/// Something that goes wrong with a request, whatever the handler would do.
///
/// For a ``FaultProxy`` the handler is the server that requests are passed on to.
///
/// ## Topics
/// ### What a fault does
/// - ``answer(_:)``
/// - ``alter(_:)``
/// - ``hold``
/// - ``actTwice``
/// ### The connection ends
/// - ``dropBeforeActing``
/// - ``dropAfterActing``
/// - ``resetAfterActing``
/// - ``truncate(after:)``
/// - ``halve``
/// ### The answer is late
/// - ``stallBeforeActing``
/// - ``stallAfterActing``
/// - ``delay(_:)``
/// ### Another answer
/// - ``status(_:retryAfter:)``
/// - ``page(_:)``
/// - ``redirect(to:status:)``
/// - ``redirectLoop``
/// - ``huge(_:)``
/// - ``cookieBomb(count:bytes:)``
public enum LoopbackFault: Sendable {
  /// This is answered; the handler never sees the request.
  case answer(@Sendable (LoopbackRequest) -> LoopbackReply)
  /// The handler acts, and its answer is changed.
  case alter(@Sendable (LoopbackReply) -> LoopbackReply)
  /// The handler acts, and its answer waits for ``FakeServer/release()``.
  case hold
  /// The handler acts twice, one after the other, and its second answer is given.
  case actTwice

  /// Answers in place of the handler, or lets it act and spoils its answer.
  func apply(
    to request: LoopbackRequest, acting handler: LoopbackServer.Handler
  ) -> LoopbackReply {
    if case .actTwice = self { _ = handler(request) }
    return switch self {
    case .answer(let answer): answer(request)
    case .alter(let alter): alter(handler(request))
    case .hold, .actTwice: handler(request)
    }
  }

  /// Whether a pattern stands for a path; no pattern stands for all, one that ends in `/*` for
  /// everything below it.
  static func fits(_ pattern: String?, _ path: String) -> Bool {
    guard let pattern else { return true }
    return pattern.hasSuffix("/*") ? path.hasPrefix(pattern.dropLast()) : path == pattern
  }
}

extension LoopbackFault {
  /// The request is read and the connection closed; the handler never sees it.
  public static let dropBeforeActing = LoopbackFault.answer { _ in .dropped }

  /// The handler acts, but the connection is closed without its answer.
  public static let dropAfterActing = LoopbackFault.alter { _ in .dropped }

  /// The handler acts, but the connection is reset without its answer.
  public static let resetAfterActing = LoopbackFault.alter { _ in .reset }

  /// No answer comes until a side closes; the handler never sees the request.
  public static let stallBeforeActing = LoopbackFault.answer { _ in .stalled }

  /// The handler acts, but no answer comes until a side closes.
  public static let stallAfterActing = LoopbackFault.alter { _ in .stalled }

  /// The handler acts, and its answer is cut off after so many bytes of the body.
  public static func truncate(after count: Int) -> LoopbackFault {
    .alter { $0.truncated(after: count) }
  }

  /// The handler acts, and its answer ends in the middle of its body; that of a proxy without a
  /// body in the middle of its header.
  public static let halve = LoopbackFault.alter { $0.halved() }

  /// The handler acts, and its answer is held back.
  public static func delay(_ delay: Duration) -> LoopbackFault {
    .alter { $0.delayed(by: delay) }
  }

  private static let site = FakePage(name: "Gatebook loopback server", kind: "server")

  /// This status with an HTML page and, if given, `Retry-After` in seconds.
  public static func status(_ status: Int, retryAfter: Int? = nil) -> LoopbackFault {
    .answer { _ in
      let reply = site.error(status, "The server is in trouble, as it was told to be.")
      return retryAfter.map { reply.with("Retry-After", String($0)) } ?? reply
    }
  }

  /// An HTML page in place of whatever was expected, with status 200 unless given.
  public static func page(_ status: Int = 200) -> LoopbackFault {
    .answer { _ in site.error(status, "A page that nobody asked for.") }
  }

  /// A redirect to another URL.
  public static func redirect(to location: String, status: Int = 302) -> LoopbackFault {
    .answer { _ in .redirect(to: location, status: status) }
  }

  /// A redirect to the URL that was asked; put it on a path for always.
  public static let redirectLoop = LoopbackFault.answer { .redirect(to: $0.target) }

  /// An answer of so many bytes that calls itself JSON; streamed, not held in memory.
  public static func huge(_ bytes: Int = 200 << 20) -> LoopbackFault {
    .answer { _ in .huge(bytes, type: "application/json;charset=UTF-8") }
  }

  /// More cookies than anybody should keep, on top of the right answer.
  ///
  /// - Parameters:
  ///   - count: How many cookies.
  ///   - bytes: The length of each value.
  /// - Returns: The fault.
  public static func cookieBomb(count: Int = 200, bytes: Int = 4096) -> LoopbackFault {
    let value = String(repeating: "x", count: bytes)
    return .alter { reply in
      (1...max(1, count)).reduce(reply) { $0.with("Set-Cookie", "BOMB_\($1)=\(value); Path=/") }
    }
  }
}

/// Which faults are still to come, and where.
///
/// A request meets the first one that fits it and has not run out. Every fault before that one that
/// it fits has counted it.
struct FaultSchedule: Sendable {
  /// A fault, and which requests meet it.
  struct Entry: Sendable {
    var fault: LoopbackFault
    /// How many of the requests that fit are let through first.
    var skipped: Int
    /// How many are hit after these; `nil` for all.
    var remaining: Int?
    var fits: @Sendable (LoopbackRequest) -> Bool
  }

  var entries: [Entry] = []

  /// Takes the fault for a request; `nil` when all is well.
  mutating func take(for request: LoopbackRequest) -> LoopbackFault? {
    for index in entries.indices
    where entries[index].remaining != 0 && entries[index].fits(request) {
      guard entries[index].skipped == 0 else {
        entries[index].skipped -= 1
        continue
      }
      if let remaining = entries[index].remaining { entries[index].remaining = remaining - 1 }
      return entries[index].fault
    }
    return nil
  }
}
