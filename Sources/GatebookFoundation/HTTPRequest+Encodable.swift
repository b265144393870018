public import FoundationEssentials
public import Gatebook

extension HTTPRequest {
  /// Makes a request whose body is an app's own value as JSON.
  ///
  /// ```swift
  /// let request = try HTTPRequest("PUT", url, encoding: Item(name: "lamp", price: 12.5))
  /// ```
  ///
  /// - Parameters:
  ///   - method: The method in capitals.
  ///   - url: The URL.
  ///   - fields: Further header fields; `Content-Type` is added unless it is among them.
  ///   - value: What the body says.
  ///   - encoder: How it is written, such as the form of dates.
  ///   - isRepeatable: Whether sending twice is harmless; `nil` decides by the method.
  ///   - limits: Limits of time and size.
  /// - Throws: `configuration.invalid` for a value that has no JSON, such as an infinite number.
  public init(
    _ method: String, _ url: HTTPURL, fields: [HTTPField] = [], encoding value: some Encodable,
    encoder: JSONEncoder = JSONEncoder(), isRepeatable: Bool? = nil,
    limits: HTTPLimits = HTTPLimits()
  ) throws(GatebookError) {
    let body: Data
    do {
      body = try encoder.encode(value)
    } catch {
      throw .unencodable(error)
    }
    self.init(
      method, url, fields: fields, jsonBody: Array(body), isRepeatable: isRepeatable,
      limits: limits)
  }

  /// A POST request whose body is an app's own value as JSON.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - value: What the body says.
  ///   - encoder: How it is written, such as the form of dates.
  /// - Returns: The request.
  /// - Throws: `configuration.invalid` for a value that has no JSON, such as an infinite number.
  public static func post(
    _ url: HTTPURL, encoding value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws(GatebookError) -> HTTPRequest {
    try HTTPRequest("POST", url, encoding: value, encoder: encoder)
  }
}

extension GatebookError {
  /// A value that has no JSON; says where, never the value.
  fileprivate static func unencodable(_ error: any Error) -> GatebookError {
    var place = ""
    if case EncodingError.invalidValue(_, let context) = error {
      place = path(context.codingPath)
    }
    return GatebookError(
      .configurationInvalid,
      "The value cannot be written as JSON\(place.isEmpty ? "" : ": \(place)").",
      kept: "Nothing was sent.", remedy: "Check the value, or give an encoder that can write it.")
  }
}
