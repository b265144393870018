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

  /// Whether a pattern stands for a path; no pattern stands for all, one that ends in `/*` for
  /// everything below it.
  static func fits(_ pattern: String?, _ path: String) -> Bool {
    guard let pattern else { return true }
    return pattern.hasSuffix("/*") ? path.hasPrefix(pattern.dropLast()) : path == pattern
  }
}

/// Which faults are still to come, and where.
///
/// A request meets the first one that fits it and has not run out. Every fault before that one that
/// it fits has counted it.
struct FaultSchedule<Fault: Sendable>: Sendable {
  private struct Entry: Sendable {
    var fault: Fault
    var skipped: Int
    var remaining: Int?
    var fits: @Sendable (LoopbackRequest) -> Bool
  }

  private var entries: [Entry] = []

  /// Adds a fault after the others.
  ///
  /// - Parameters:
  ///   - fault: The fault.
  ///   - skipped: How many of the requests that fit are let through first.
  ///   - times: How many are hit after these; `nil` for all.
  ///   - fits: Which requests fit.
  mutating func append(
    _ fault: Fault, after skipped: Int = 0, times: Int?,
    where fits: @escaping @Sendable (LoopbackRequest) -> Bool
  ) {
    entries.append(Entry(fault: fault, skipped: skipped, remaining: times, fits: fits))
  }

  /// Takes the fault for a request; `nil` when all is well.
  mutating func take(for request: LoopbackRequest) -> Fault? {
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
