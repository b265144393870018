/// Limits of a request's time and of its answer's size.
///
/// The time that a user needs does not count.
public struct HTTPLimits: Hashable, Sendable {
  /// The time from the start until the connection is made, including TLS.
  public var connect: Duration
  /// The time from the start until the last byte of the answer.
  ///
  /// If a body is streamed, the time in which the server neither takes nor sends a byte. Waiting
  /// for the request's own source does not count.
  public var total: Duration
  /// The maximum size of the body after decompression, in bytes.
  ///
  /// A body that a sink takes has no limit.
  public var body: Int
  /// The maximum size of all header lines, in bytes.
  public var header: Int

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - connect: The time until the connection is made; 15 s.
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
