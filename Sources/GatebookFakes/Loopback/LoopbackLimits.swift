/// How much a loopback server reads of one request.
public struct LoopbackLimits: Hashable, Sendable {
  /// Bytes of the request line and the header; beyond, the answer is 431.
  public var header: Int
  /// Bytes of the body; beyond, the answer is 413.
  public var body: Int

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - header: Bytes of the header; 2 MiB, so that even absurd cookies are read and recorded.
  ///   - body: Bytes of the body; 16 MiB.
  public init(header: Int = 2 << 20, body: Int = 16 << 20) {
    self.header = header
    self.body = body
  }
}
