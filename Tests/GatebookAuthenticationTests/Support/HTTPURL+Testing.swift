internal import GatebookAuthentication
internal import Testing

extension HTTPURL {
  /// A URL that a test writes out.
  static func at(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> HTTPURL {
    try #require(HTTPURL(text), sourceLocation: sourceLocation)
  }
}

extension HTTPRequest {
  /// The value of a field.
  func field(_ name: String) -> String? {
    fields.first(name)
  }

  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }
}
