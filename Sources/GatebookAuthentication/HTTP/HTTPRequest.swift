/// One request as it is sent; a transport adds only what HTTP itself requires.
public struct HTTPRequest: Hashable, Sendable {
  /// The method in capitals, such as `GET`.
  public var method: String
  /// The URL.
  public var url: HTTPURL
  /// The header fields, in their order, without `Host` and `Content-Length`.
  public var fields: [HTTPField]
  /// The body; empty for none.
  public var body: [UInt8]
  /// The body, if it is read while it is sent; then ``body`` is not used.
  public var source: BodySource?
  /// Takes the body of a successful answer; `nil` puts it into ``HTTPReply/body``.
  public var sink: BodySink?
  /// Whether sending twice has the same effect as sending once (RFC 9110 section 9.2.2).
  ///
  /// Other requests use a new connection, because libcurl may repeat a request on a reused one automatically.
  public var isRepeatable: Bool
  /// Limits of time and size.
  public var limits: HTTPLimits
  /// Whether it asks for what a server publishes for everybody, and whether an answer that is known
  /// already will do; `nil`: it asks for something else.
  package var recall: Recall?

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - method: The method in capitals.
  ///   - url: The URL.
  ///   - fields: The header fields.
  ///   - body: The body.
  ///   - isRepeatable: Whether sending twice is harmless; `nil` decides by the method: GET, HEAD and OPTIONS
  ///     are harmless.
  ///   - limits: Limits of time and size.
  public init(
    _ method: String, _ url: HTTPURL, fields: [HTTPField] = [], body: [UInt8] = [],
    isRepeatable: Bool? = nil, limits: HTTPLimits = HTTPLimits()
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    self.isRepeatable = isRepeatable ?? ["GET", "HEAD", "OPTIONS"].contains(method)
    self.limits = limits
  }

  /// A GET request.
  public static func get(_ url: HTTPURL) -> HTTPRequest {
    HTTPRequest("GET", url)
  }
}
