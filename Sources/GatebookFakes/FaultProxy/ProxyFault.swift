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
