/// What a loopback server answers, and how badly.
public struct LoopbackReply: Sendable {
  /// The bytes after the header.
  public enum Content: Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// One byte, so many times; streamed, never held in memory.
    case repeated(UInt8, count: Int)
  }

  /// What becomes of the answer on its way.
  public enum Delivery: Sendable {
    /// It arrives, and the connection stays open.
    case complete
    /// It arrives, and the connection is closed after it (`Connection: close`).
    case closing
    /// `Content-Length` promises everything, but the connection closes after so many bytes of it.
    case truncated(after: Int)
    /// It arrives, and from then on the connection is only held, whatever the client sends, until
    /// a side closes: what becomes of HTTP after 101.
    case held
    /// The connection is closed without an answer.
    case dropped
    /// The connection is reset without an answer (RFC 9293 section 3.5.2), as by a machine that
    /// crashed.
    case reset
    /// No answer comes: the server waits until the client or the server itself closes.
    case stalled
    /// These bytes go out in place of an answer, then the connection is closed.
    case raw([UInt8])
  }

  /// The status code.
  public var status: Int
  /// The header fields; `Content-Length`, `Date` and `Server` are added unless given.
  public var fields: LoopbackFields
  /// The body.
  public var content: Content
  /// What becomes of the answer.
  public var delivery: Delivery
  /// How long the answer is held back; the server's own `wait` decides whether anybody really
  /// waits.
  public var delay: Duration

  /// Makes an answer from its parts.
  public init(
    status: Int = 200, fields: LoopbackFields = [:], content: Content = .bytes([]),
    delivery: Delivery = .complete, delay: Duration = .zero
  ) {
    self.status = status
    self.fields = fields
    self.content = content
    self.delivery = delivery
    self.delay = delay
  }
}
