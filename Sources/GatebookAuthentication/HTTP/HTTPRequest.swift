public import GatebookEvents

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
  /// Other requests use a new connection, because libcurl may repeat a request on a reused one
  /// automatically.
  public var isRepeatable: Bool
  /// Limits of time and size.
  public var limits: HTTPLimits
  /// Whether GET and HEAD follow redirects within the account's own origins.
  package var followsRedirects = true
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
  ///   - isRepeatable: Whether sending twice is harmless; `nil` decides by the method: GET, HEAD
  ///     and OPTIONS are harmless.
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

  /// Whether it can be sent now: a body that can be read only once was not read yet.
  package var canBeSent: Bool { source?.canStart ?? true }

  /// The same request with its body in memory, for who must read it before it is sent.
  ///
  /// - Parameter clock: Waits for a source that has no bytes yet.
  /// - Returns: The request.
  /// - Throws: `limit.exceeded` for a body of more than 64 MiB, and what its source throws.
  package func withBodyInMemory(_ clock: any BookClock) async throws(GatebookError) -> HTTPRequest {
    guard let source else { return self }
    var request = self
    request.body = try await source.bytes(limit: Self.mostInMemory, clock)
    request.source = nil
    return request
  }

  /// The same request with a body of at most 1 MiB in memory: it can be sent again, and has a
  /// length.
  ///
  /// - Parameter clock: Waits for a source that has no bytes yet.
  /// - Returns: The request.
  /// - Throws: `cancelled`, and what the body's source throws.
  package func withShortBodyInMemory(
    _ clock: any BookClock
  ) async throws(GatebookError) -> HTTPRequest {
    guard let source, !source.isLong, source.count ?? 0 <= Self.short else { return self }
    let (bytes, isWhole) = try await source.beginning(Self.short, clock)
    var request = self
    if isWhole {
      request.body = bytes
      request.source = nil
    } else if !source.canRewind {
      request.source = BodySource(bytes, andRestOf: source)
    }
    return request
  }

  /// Hands a body that is still in memory to the request's sink.
  ///
  /// - Parameter reply: The answer.
  /// - Returns: The answer without the body that the sink has taken.
  /// - Throws: What the sink throws.
  package func handingOver(_ reply: HTTPReply) throws(GatebookError) -> HTTPReply {
    guard let sink, !reply.isStreamed, BodySink.takes(reply.status) else { return reply }
    var head = reply
    head.body = []
    head.isStreamed = true
    try sink.start(head)
    try reply.body.withUnsafeBufferPointer { bytes throws(GatebookError) in
      guard !bytes.isEmpty else { return }
      try sink.take(UnsafeRawBufferPointer(bytes))
    }
    return head
  }

  private static let short = 1 << 20
  private static let mostInMemory = 64 << 20
}

/// When an answer that is known already will do for a request for what a server publishes.
///
/// Such an answer is the same for everybody who trusts the same servers: all accounts, and all
/// programs of a book, share it. Where it comes from there, ``HTTPReply/recalled`` tells.
package enum Recall: Hashable, Sendable {
  /// Never; but the answer is kept.
  case never
  /// As long as its server says that it does (RFC 9111 section 4.2).
  case whileFresh
  /// Where the server was asked in this way less than so long ago; without an answer since then the
  /// request fails, and is not sent.
  case within(Duration)
  /// Always: nobody is asked.
  case always
}

extension HTTPRequest {
  /// Makes a request whose body is a JSON object.
  ///
  /// ```swift
  /// let request = HTTPRequest("PUT", url, json: ["name": "lamp", "count": 3])
  /// ```
  ///
  /// ``Facts`` have no numbers with fractions; the product GatebookFoundation writes those, and any
  /// `Encodable` value.
  ///
  /// - Parameters:
  ///   - method: The method in capitals.
  ///   - url: The URL.
  ///   - fields: Further header fields; `Content-Type` is added unless it is among them.
  ///   - object: What the body says; its members are written in the order of their names.
  ///   - isRepeatable: Whether sending twice is harmless; `nil` decides by the method.
  ///   - limits: Limits of time and size.
  public init(
    _ method: String, _ url: HTTPURL, fields: [HTTPField] = [], json object: Facts,
    isRepeatable: Bool? = nil, limits: HTTPLimits = HTTPLimits()
  ) {
    self.init(
      method, url, fields: fields, jsonBody: object.encoded, isRepeatable: isRepeatable,
      limits: limits)
  }

  /// A POST request whose body is a JSON object.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - object: What the body says; its members are written in the order of their names.
  /// - Returns: The request.
  public static func post(_ url: HTTPURL, json object: Facts) -> HTTPRequest {
    HTTPRequest("POST", url, json: object)
  }

  /// Makes a request whose body is JSON that is written already.
  package init(
    _ method: String, _ url: HTTPURL, fields: [HTTPField], jsonBody: [UInt8],
    isRepeatable: Bool?, limits: HTTPLimits
  ) {
    let isTyped = fields.first("Content-Type") != nil
    self.init(
      method, url, fields: isTyped ? fields : fields + [.json], body: jsonBody,
      isRepeatable: isRepeatable, limits: limits)
  }
}

extension HTTPField {
  /// Says that a body is JSON (RFC 8259 section 11).
  package static let json = HTTPField("Content-Type", "application/json")
}

/// Shows nothing but its description: its parts may be secrets.
package protocol Discreet: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{}

extension Discreet {
  /// The same as `description`.
  public var debugDescription: String { description }

  /// Shows no parts.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPRequest: Discreet {
  /// Method and URL without its query: fields and body may carry secrets.
  public var description: String { "\(method) \(url.withoutQuery)" }
}

extension HTTPReply: Discreet {
  /// The status and the size of the body: fields and body may carry secrets.
  public var description: String { "\(status), \(body.count) bytes" }
}
