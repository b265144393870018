public import GatebookEvents

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
