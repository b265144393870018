public import Gatebook

/// One request as a loopback server received it, read with the server's own reader.
public struct LoopbackRequest: Hashable, Sendable {
  /// Counts the requests of one server from 1, over restarts.
  public var number: Int
  /// Counts the connections of one server from 1: requests with the same number shared one.
  public var connection: Int
  /// The method, such as `GET`.
  public var method: String
  /// The request target as sent, query included.
  public var target: String
  /// The header fields in their order.
  public var fields: LoopbackFields
  /// The body; empty for none.
  public var body: [UInt8]
  /// When the last byte had arrived, by the server's clock.
  public var received: Moment
  /// The pin of the certificate that the client showed (``TestCertificate/pin``); `nil` without.
  public var clientPin: String?

  /// Makes a request, for handlers that are tested without a server.
  public init(
    _ method: String, _ target: String, fields: LoopbackFields = [:], body: [UInt8] = [],
    number: Int = 1, connection: Int = 1,
    received: Moment = Moment(wall: Timestamp(rawValue: 0), boot: .zero)
  ) {
    self.number = number
    self.connection = connection
    self.method = method
    self.target = target
    self.fields = fields
    self.body = body
    self.received = received
  }

  /// The target up to its `?`, still encoded.
  public var path: String {
    String(target.prefix { $0 != "?" })
  }

  /// The target after its first `?`, still encoded; `nil` when there is none.
  public var query: String? {
    guard let mark = target.firstIndex(of: "?") else { return nil }
    return String(target[target.index(after: mark)...])
  }

  /// The body as text; bytes that are not UTF-8 are replaced.
  public var text: String {
    String(decoding: body, as: UTF8.self)
  }
}
