/// One request as it goes on the wire; a transport adds nothing but what HTTP itself demands.
public struct HTTPRequest: Hashable, Sendable {
  /// The method in capitals, such as `GET`.
  public var method: String
  /// Where to.
  public var url: HTTPURL
  /// The header fields, in their order, without `Host` and `Content-Length`.
  public var fields: [HTTPField]
  /// The body; empty for none.
  public var body: [UInt8]
  /// The body, where it is read while it is sent; it takes the place of ``body``.
  public var source: BodySource?
  /// What takes the body of a successful answer; `nil` puts it into ``HTTPReply/body``.
  public var sink: BodySink?
  /// Whether sending twice does no more than sending once (RFC 9110 section 9.2.2).
  ///
  /// What is not safe to repeat goes over a fresh connection: on a reused one libcurl repeats it by
  /// itself.
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
  ///   - url: Where to.
  ///   - fields: The header fields.
  ///   - body: The body.
  ///   - isRepeatable: Whether sending twice is harmless; `nil` takes it from the method: GET, HEAD
  ///     and OPTIONS are.
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
