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
  /// [W3C.REC-html40-19980424] ... application/x-www-form-urlencoded": a plus sign is a blank, and
  /// a name without `=` has an empty value. A `%` without two digits stands for itself.
  package static func decode(_ form: some Collection<UInt8>) -> [OAuth1Parameter] {
    form.split(separator: UInt8(ascii: "&")).map { pair in
      let name = pair.prefix { $0 != .equals }
      return OAuth1Parameter(
        name: decoded(Array(name)), value: decoded(Array(pair.dropFirst(name.count + 1))))
    }
  }

  private static func decoded(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == .percent, index + 2 < text.count, let high = text[index + 1].hexValue,
        let low = text[index + 2].hexValue
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(text[index] == UInt8(ascii: "+") ? .blank : text[index])
        index += 1
      }
    }
    return result
  }
}
