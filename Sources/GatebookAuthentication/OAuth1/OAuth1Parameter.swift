/// A decoded name and value of an OAuth 1.0a request (RFC 5849 section 3.4.1.3).
///
/// Bytes, not text: what an app sends may be no UTF-8, and is signed as it is.
package struct OAuth1Parameter: Hashable, Sendable {
  /// The name, decoded.
  package var name: [UInt8]
  /// The value, decoded.
  package var value: [UInt8]

  /// Makes a parameter of two texts, in UTF-8.
  package init(_ name: String, _ value: String) {
    self.init(name: Array(name.utf8), value: Array(value.utf8))
  }

  /// Makes a parameter of bytes.
  package init(name: [UInt8], value: [UInt8]) {
    self.name = name
    self.value = value
  }

  /// Whether the name is this one, byte for byte.
  package func isNamed(_ other: String) -> Bool { name.elementsEqual(other.utf8) }
}

extension OAuth1Parameter {
  /// The parameters of a query or a form body, in their order, each decoded once.
  ///
  /// RFC 5849 section 3.4.1.3.1: "parsed as defined in
  /// [W3C.REC-html40-19980424] ... application/x-www-form-urlencoded".
  package static func decode(_ form: some Sequence<UInt8>) -> [OAuth1Parameter] {
    FormEncoding.decode(form).map { OAuth1Parameter(name: $0.name, value: $0.value) }
  }
}
