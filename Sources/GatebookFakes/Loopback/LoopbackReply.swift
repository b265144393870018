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

  /// The connection is closed without an answer.
  public static let dropped = LoopbackReply(delivery: .dropped)

  /// The connection is reset without an answer.
  public static let reset = LoopbackReply(delivery: .reset)

  /// No answer comes until the client or the server closes the connection.
  public static let stalled = LoopbackReply(delivery: .stalled)

  /// These bytes in place of an answer, then the end of the connection.
  public static func raw(_ bytes: some Sequence<UInt8>) -> LoopbackReply {
    LoopbackReply(delivery: .raw(Array(bytes)))
  }

  /// Plain text, or another type of content given in `type`.
  public static func text(
    _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200,
    fields: LoopbackFields = [:]
  ) -> LoopbackReply {
    var fields = fields
    fields.appendMissing("Content-Type", type)
    return LoopbackReply(status: status, fields: fields, content: .bytes(Array(text.utf8)))
  }

  /// A JSON text.
  public static func json(
    _ text: String, status: Int = 200, fields: LoopbackFields = [:]
  ) -> LoopbackReply {
    .text(text, type: "application/json;charset=UTF-8", status: status, fields: fields)
  }

  /// An HTML page.
  public static func html(
    _ text: String, status: Int = 200, fields: LoopbackFields = [:]
  ) -> LoopbackReply {
    .text(text, type: "text/html;charset=UTF-8", status: status, fields: fields)
  }

  /// A redirect with an empty body.
  public static func redirect(
    to location: String, status: Int = 302, fields: LoopbackFields = [:]
  ) -> LoopbackReply {
    var fields = fields
    fields.append("Location", location)
    return LoopbackReply(status: status, fields: fields)
  }

  /// A body of one byte repeated; streamed, so that 200 MB cost no memory.
  public static func huge(_ count: Int, of byte: UInt8 = 0x20, type: String) -> LoopbackReply {
    LoopbackReply(fields: ["Content-Type": type], content: .repeated(byte, count: count))
  }

  /// The same answer, cut off after so many bytes of its body.
  public func truncated(after count: Int) -> LoopbackReply {
    var copy = self
    copy.delivery = .truncated(after: count)
    return copy
  }

  /// The same answer, cut off in the middle of its body; one of a proxy that has none in the middle
  /// of its header.
  func halved() -> LoopbackReply {
    switch (delivery, content) {
    case (.raw(let bytes), _):
      let head = MessageHead.end(in: bytes).map { $0 + 4 } ?? bytes.count
      let start = head < bytes.count ? head : 0
      return .raw(bytes.prefix(start + (bytes.count - start) / 2))
    case (_, .bytes(let bytes)): return truncated(after: bytes.count / 2)
    case (_, .repeated(_, let count)): return truncated(after: count / 2)
    }
  }

  /// The same answer, held back.
  public func delayed(by delay: Duration) -> LoopbackReply {
    var copy = self
    copy.delay = delay
    return copy
  }

  /// The same answer, after which the connection is closed.
  public func closing() -> LoopbackReply {
    var copy = self
    copy.delivery = .closing
    return copy
  }

  /// The same answer with one more field.
  public func with(_ name: String, _ value: String) -> LoopbackReply {
    var copy = self
    copy.fields.append(name, value)
    return copy
  }
}
