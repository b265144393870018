/// How long a request may take and how much it may bring.
///
/// Time a person needs does not count.
public struct HTTPLimits: Hashable, Sendable {
  /// From the start until the connection stands, TLS included.
  public var connect: Duration
  /// From the start until the last byte of the answer; with a body that is streamed, from the last bytes
  /// that moved until the next.
  public var total: Duration
  /// The most bytes of a body in memory, after decompression; a body that a sink takes has no limit.
  public var body: Int
  /// The most bytes of all header lines.
  public var header: Int

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - connect: Time until the connection stands; 15 s.
  ///   - total: Time until the last byte; 60 s.
  ///   - body: Bytes of the body; 64 MiB. Logins use 1 MiB.
  ///   - header: Bytes of the header; 256 KiB.
  public init(
    connect: Duration = .seconds(15), total: Duration = .seconds(60), body: Int = 64 << 20,
    header: Int = 256 << 10
  ) {
    self.connect = connect
    self.total = total
    self.body = body
    self.header = header
  }

  /// Limits of a login's own requests: 1 MiB of body.
  public static let login = HTTPLimits(body: 1 << 20)

  /// Limits of requests to endpoints that answer with a small document: 30 s in all, 1 MiB of body.
  package static let endpoint = HTTPLimits(
    connect: .seconds(15), total: .seconds(30), body: 1 << 20)
}
