import GatebookProxy

/// A request as a program sends it, byte for byte.
struct SentRequest {
  /// What a proxy makes of it before any rule: the header and where the body ends.
  let head: RequestHead
  let framing: BodyFraming

  init(_ text: String) throws(ProxyRefusal) { try self.init(Array(text.utf8)) }

  init(_ bytes: [UInt8]) throws(ProxyRefusal) {
    var scan = HeadScan()
    guard let end = try scan.next(bytes) else { throw .slow }
    head = try RequestHead(bytes[..<end])
    framing = try BodyFraming(head)
  }
}

/// What came of trying: the refusal, or `nil`.
func refusal<Value>(_ body: () throws(ProxyRefusal) -> Value) -> ProxyRefusal? {
  do throws(ProxyRefusal) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
