/// Something that goes wrong with a request, whatever the handler would do.
public enum LoopbackFault: Sendable {
  /// The request is read and the connection closed; the handler never sees it.
  case dropBeforeActing
  /// The handler acts, but the connection is closed without its answer.
  case dropAfterActing
  /// No answer comes until a side closes; the handler never sees the request.
  case stallBeforeActing
  /// The handler acts, but no answer comes until a side closes.
  case stallAfterActing
  /// The handler acts, and its answer is cut off after so many bytes of the body.
  case truncate(after: Int)
  /// The handler acts, and its answer is held back.
  case delay(Duration)
  /// This is answered; the handler never sees the request.
  case answer(@Sendable (LoopbackRequest) -> LoopbackReply)
  /// The handler acts, and its answer is changed.
  case alter(@Sendable (LoopbackReply) -> LoopbackReply)

  /// Answers in place of the handler, or lets it act and spoils its answer.
  func apply(
    to request: LoopbackRequest, acting handler: LoopbackServer.Handler
  ) -> LoopbackReply {
    switch self {
    case .dropBeforeActing: return .dropped
    case .stallBeforeActing: return .stalled
    case .answer(let answer): return answer(request)
    case .dropAfterActing:
      _ = handler(request)
      return .dropped
    case .stallAfterActing:
      _ = handler(request)
      return .stalled
    case .truncate(let count): return handler(request).truncated(after: count)
    case .delay(let delay): return handler(request).delayed(by: delay)
    case .alter(let alter): return alter(handler(request))
    }
  }
}

/// Which faults are still to come, and where.
///
/// A request meets the first one that fits its path and has not run out.
struct FaultSchedule: Sendable {
  private struct Entry: Sendable {
    var path: String?
    var fault: LoopbackFault
    var remaining: Int?
  }

  private var entries: [Entry] = []

  /// Adds a fault after the others; without a path it fits all, without a count it never runs out.
  ///
  /// A path that ends in `/*` fits everything below it.
  mutating func append(_ fault: LoopbackFault, on path: String?, times: Int?) {
    entries.append(Entry(path: path, fault: fault, remaining: times))
  }

  /// Takes the fault for a request; `nil` when all is well.
  mutating func take(for path: String) -> LoopbackFault? {
    let fitting = entries.firstIndex { $0.remaining != 0 && Self.fits($0.path, path) }
    guard let fitting else { return nil }
    if let remaining = entries[fitting].remaining { entries[fitting].remaining = remaining - 1 }
    return entries[fitting].fault
  }

  /// Whether a pattern stands for a path; no pattern stands for all.
  static func fits(_ pattern: String?, _ path: String) -> Bool {
    guard let pattern else { return true }
    return pattern.hasSuffix("/*") ? path.hasPrefix(pattern.dropLast()) : path == pattern
  }
}
