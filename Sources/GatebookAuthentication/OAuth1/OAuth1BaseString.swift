/// What an OAuth 1.0a signature is made over (RFC 5849 section 3.4.1).
///
/// All of it is percent-encoded but letters, digits and `- . _ ~` (section 3.6), which is narrower
/// than a form's encoding.
package enum OAuth1BaseString {
  private static let separator = UInt8(ascii: "&")

  /// The base string of a request.
  ///
  /// - Parameters:
  ///   - request: The request; its body counts only if it is a form, by its type and by its bytes.
  ///   - parameters: Those of the `Authorization` field, without `realm` and `oauth_signature`.
  /// - Returns: ASCII bytes.
  package static func make(
    _ request: HTTPRequest, parameters: [OAuth1Parameter]
  ) -> [UInt8] {
    // Section 3.4.1.1: "The HTTP request method in uppercase."
    var text = PercentEncoding.encode(request.method.utf8.map(uppercase))
    text.append(separator)
    // Section 3.4.1.2: scheme and host in lower case, no default port; a URL here has that form.
    text += PercentEncoding.encode((request.url.origin.description + request.url.path).utf8)
    text.append(separator)
    text += PercentEncoding.encode(normalized(parameters + carried(by: request)))
    return text
  }

  /// Section 3.4.1.3.1: what the query says, and the body if it is a form.
  private static func carried(by request: HTTPRequest) -> [OAuth1Parameter] {
    var parameters = OAuth1Parameter.decode((request.url.query ?? "").utf8)
    if isForm(request) { parameters += OAuth1Parameter.decode(request.body) }
    // "The "oauth_signature" parameter MUST be excluded from the signature base string if present."
    return parameters.filter { !$0.isNamed("oauth_signature") }
  }

  private static func isForm(_ request: HTTPRequest) -> Bool {
    isOfForm(request) && isFormEncoded(request.body)
  }

  /// Whether a request says that its body is a form.
  static func isOfForm(_ request: HTTPRequest) -> Bool {
    guard let type = request.fields.first("Content-Type") else { return false }
    let name = Array(type.utf8.prefix { $0 != .semicolon })
    return name.trimmed.text.equalsIgnoringCase("application/x-www-form-urlencoded")
  }

  /// Whether a body "follows the encoding requirements" of its type, whatever its type says.
  ///
  /// Some programs send JSON or XML under the type of a form. Servers leave such a body out, and
  /// read a form in which some reserved characters are not encoded.
  private static func isFormEncoded(_ body: [UInt8]) -> Bool {
    PercentEncoding.isValid(body[...])
      && body.allSatisfy { byte in
        byte.isLetter || byte.isDigit || "=&;:%+~,*@!()/?$'-._".utf8.contains(byte)
      }
  }

  /// Section 3.4.1.3.2: encoded first, then sorted "using ascending byte value ordering", names
  /// before values; the other way round other signatures come out.
  private static func normalized(_ parameters: [OAuth1Parameter]) -> [UInt8] {
    let encoded = parameters.map { parameter in
      OAuth1Parameter(
        name: PercentEncoding.encode(parameter.name), value: PercentEncoding.encode(parameter.value)
      )
    }
    let sorted = encoded.sorted { left, right in
      left.name == right.name
        ? left.value.lexicographicallyPrecedes(right.value)
        : left.name.lexicographicallyPrecedes(right.name)
    }
    return Array(sorted.map { $0.name + [.equals] + $0.value }.joined(separator: [separator]))
  }

  private static func uppercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & 0xDF : byte
  }
}

/// A decoded name and value of an OAuth 1.0a request (RFC 5849 section 3.4.1.3).
///
/// Bytes, not text: what an app sends may be no UTF-8, and is signed as it is.
package struct OAuth1Parameter: Hashable, Sendable {
  /// The name, decoded.
  package var name: [UInt8]
  /// The value, decoded.
  package var value: [UInt8]
}

extension OAuth1Parameter {
  /// Makes a parameter of two texts, in UTF-8.
  package init(_ name: String, _ value: String) {
    self.init(name: Array(name.utf8), value: Array(value.utf8))
  }

  /// Whether the name is this one, byte for byte.
  package func isNamed(_ other: String) -> Bool { name.elementsEqual(other.utf8) }

  /// The parameters of a query or a form body, in their order, each decoded once.
  ///
  /// RFC 5849 section 3.4.1.3.1: "parsed as defined in
  /// [W3C.REC-html40-19980424] ... application/x-www-form-urlencoded".
  package static func decode(_ form: some Sequence<UInt8>) -> [OAuth1Parameter] {
    FormEncoding.decode(form).map { OAuth1Parameter(name: $0.name, value: $0.value) }
  }
}
