extension LoopbackRequest {
  /// All values of a field of the form body, in their order; none unless the body is a form.
  public func formValues(of name: String) -> [String] {
    formPairs.filter { $0.name == name }.map(\.value)
  }

  /// The first value of a field of the form body.
  public func formValue(_ name: String) -> String? {
    formValues(of: name).first
  }

  /// The first value of a parameter of the query.
  public func queryValue(_ name: String) -> String? {
    queryPairs.first { $0.name == name }?.value
  }

  /// The cookies of the `Cookie` fields, in the order in which they were sent; nothing is decoded.
  public var cookies: [LoopbackFields.Field] {
    fields.values(of: "Cookie").flatMap { $0.split(separator: ";") }.map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].drop { $0 == " " }
      return LoopbackFields.Field(String(name), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  /// The first cookie of a name; names are compared exactly.
  public func cookie(_ name: String) -> String? {
    cookies.first { $0.name == name }?.value
  }

  /// The name and the password of HTTP Basic (RFC 7617); `nil` without them.
  public var basicCredentials: (name: String, password: String)? {
    guard let parts = fields["Authorization"]?.split(separator: " "), parts.count == 2,
      parts[0].lowercased() == "basic", let bytes = Base64Text.decode(parts[1]),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return (
      String(decoding: bytes[..<colon], as: UTF8.self),
      String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    )
  }

  /// All parameters of the query in their order, decoded.
  var queryPairs: [LoopbackFields.Field] {
    Self.pairs(in: query ?? "")
  }

  /// All fields of the form body in their order, decoded; none unless the body is a form.
  var formPairs: [LoopbackFields.Field] {
    let type = fields["Content-Type"]?.lowercased() ?? ""
    return type.hasPrefix("application/x-www-form-urlencoded") ? Self.pairs(in: text) : []
  }

  /// The text after a scheme's name in `Authorization`; `nil` for another scheme.
  func authorization(_ scheme: String) -> Substring? {
    guard let field = fields["Authorization"],
      let blank = field.firstIndex(of: " "),
      field[..<blank].lowercased() == scheme
    else { return nil }
    return field[blank...].drop { $0 == " " }
  }

  private static func pairs(in text: String) -> [LoopbackFields.Field] {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return LoopbackFields.Field(
        PercentText.decode(parts[0], plusIsBlank: true),
        parts.count > 1 ? PercentText.decode(parts[1], plusIsBlank: true) : "")
    }
  }
}
