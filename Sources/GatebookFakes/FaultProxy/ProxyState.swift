/// What changes while a fault proxy runs; always protected by its lock.
struct ProxyState: Sendable {
  /// A fault that is still to come, and where.
  struct Entry: Sendable {
    var fault: ProxyFault
    /// How many of the requests that fit are let through first.
    var skipped: Int
    /// How many are hit after these; `nil` for all.
    var remaining: Int?
    var fits: @Sendable (LoopbackRequest) -> Bool
  }

  private(set) var entries: [Entry] = []
  /// The requests that met a fault.
  private(set) var faulted: [LoopbackRequest] = []
  /// Whether answers that are held wait on.
  private(set) var isHolding = false

  /// Adds a fault after the others.
  mutating func append(_ entry: Entry) {
    if case .held = entry.fault { isHolding = true }
    entries.append(entry)
  }

  /// Takes all faults back; what is held stays held.
  mutating func clear() {
    entries = []
  }

  /// Lets go what is held.
  mutating func release() {
    isHolding = false
  }

  /// Takes the fault for a request; `nil` when all is well.
  ///
  /// Every fault that the request fits and that lets it through has counted it.
  mutating func take(for request: LoopbackRequest) -> ProxyFault? {
    for index in entries.indices where entries[index].remaining != 0 {
      guard entries[index].fits(request) else { continue }
      guard entries[index].skipped == 0 else {
        entries[index].skipped -= 1
        continue
      }
      if let remaining = entries[index].remaining { entries[index].remaining = remaining - 1 }
      faulted.append(request)
      return entries[index].fault
    }
    return nil
  }
}

/// What a ``FaultProxy`` does to one request instead of passing it on and its answer back.
///
/// | Fault | The server | The client |
/// |---|---|---|
/// | ``closed`` | sees nothing | sees the connection end without an answer |
/// | ``reset`` | acts | sees the connection reset without an answer |
/// | ``truncated`` | acts | gets half of the answer's body |
/// | ``delayed(_:)`` | acts | waits that long for its answer |
/// | ``held`` | acts | waits until ``FaultProxy/release()`` |
/// | ``answered(_:)`` | sees nothing | gets this answer |
/// | ``twice`` | acts twice | gets the second answer |
///
/// A connection that is refused is that of a proxy that was stopped.
public enum ProxyFault: Sendable {
  /// The connection ends before the server sees anything.
  case closed
  /// The server acts, and the connection is reset without its answer.
  case reset
  /// The server acts, and its answer ends in the middle of its body; one without a body in the
  /// middle of its header.
  case truncated
  /// The server acts, and its answer comes that much later.
  case delayed(Duration)
  /// The server acts, and its answer waits until it is released.
  case held
  /// This is answered; the server sees nothing.
  case answered(LoopbackReply)
  /// The server gets the request twice, one after the other, and its second answer is passed on.
  case twice

  /// 500, with a body that is no JSON.
  public static let serverError = ProxyFault.answered(
    .text("Something went wrong.\n", status: 500))

  /// 429 (RFC 6585 section 4).
  ///
  /// - Parameter seconds: For how long the client is to wait: `Retry-After`.
  /// - Returns: The fault.
  public static func tooManyRequests(retryAfter seconds: Int) -> ProxyFault {
    .answered(.text("Later.\n", status: 429, fields: ["Retry-After": "\(seconds)"]))
  }

  /// 200 with the page of a network that wants a login of its own first.
  public static let captivePortal = ProxyFault.answered(
    .html("<!DOCTYPE html><title>Wi-Fi</title><p>Please accept the terms of this hotel.</p>"))
}
