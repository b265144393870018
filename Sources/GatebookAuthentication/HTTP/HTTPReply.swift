package import GatebookEvents

/// One complete answer; a redirect is an answer like any other.
public struct HTTPReply: Hashable, Sendable {
  /// The status, 100 to 599.
  public var status: Int
  /// The header fields of the last header block, in their order.
  public var fields: [HTTPField]
  /// The body after decompression; empty when the request's sink took it.
  public var body: [UInt8]
  /// Whether the request's sink took the body.
  public var isStreamed = false
  /// Whether the session was refused, and the request could not be sent again, because its body can be read
  /// only once.
  package var isUnrepeated = false
  /// Whether the protocol itself says where an answer ends, as HTTP/2 does: then this one is whole.
  package var isDelimited = false
  /// When it was asked for, where that was for an earlier request; `nil`: for this one.
  package var recalled: Timestamp?

  /// Makes an answer.
  public init(status: Int, fields: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }
}
