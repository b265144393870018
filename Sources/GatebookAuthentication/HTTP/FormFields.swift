/// Names and values of a query or of a form's body, decoded once, in their order.
///
/// Source: RFC 6749 appendix B, RFC 5849 section 3.4.1.3.1: `application/x-www-form-urlencoded`.
package struct FormFields: Hashable, Sendable {
  /// One name with its value.
  package struct Field: Hashable, Sendable {
    /// The decoded name.
    package var name: String
    /// The decoded value; empty where there is no `=`.
    package var value: String

    /// Makes a field.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields in their order; a name may occur more than once.
  package var fields: [Field]

  /// Makes fields from what is decoded already.
  package init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// Decodes a query or a body; `nil` for a broken percent-encoding or what is not UTF-8 then.
  package init?(decoding bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard PercentEncoding.isValid(bytes[...]) else { return nil }
    fields = []
    for (name, value) in FormEncoding.decode(bytes) {
      guard let name = String(validating: name, as: UTF8.self),
        let value = String(validating: value, as: UTF8.self)
      else { return nil }
      fields.append(Field(name, value))
    }
  }

  /// The first value of a name, compared byte by byte; `nil` when it is absent.
  package subscript(name: String) -> String? {
    fields.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// Whether a name occurs more than once: RFC 6749 section 3.1 forbids it.
  package var hasRepetition: Bool {
    Set(fields.map { Array($0.name.utf8) }).count < fields.count
  }
}

/// Bodies of the type `application/x-www-form-urlencoded`.
package enum FormEncoding {
  /// The field that announces such a body.
  package static let contentType = HTTPField("Content-Type", "application/x-www-form-urlencoded")

  /// The body for names and values in their order.
  ///
  /// Letters, digits and `* - . _` stay, everything else is percent-encoded UTF-8; a blank is
  /// `%20`, which every server reads, not `+`.
  package static func encode(_ pairs: [(name: String, value: String)]) -> [UInt8] {
    let fields = pairs.map { encoded($0.name) + [.equals] + encoded($0.value) }
    return Array(fields.joined(separator: [UInt8(ascii: "&")]))
  }

  /// The names and values of a query or a body in their order, each decoded once.
  ///
  /// A plus sign is a blank, a name without `=` has an empty value, and a `%` without two digits
  /// stands for itself.
  ///
  /// Source: HTML 4.01 section 17.13.4.1, as RFC 5849 section 3.4.1.3.1 and RFC 6749 appendix B
  /// refer to it.
  static func decode(
    _ form: some Sequence<UInt8>
  ) -> [(name: [UInt8], value: [UInt8])] {
    Array(form).split(separator: UInt8(ascii: "&")).map { pair in
      let name = pair.prefix { $0 != .equals }
      return (decoded(name), decoded(pair[name.endIndex...].dropFirst()))
    }
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if let byte = PercentEncoding.octet(at: index, in: bytes) {
        result.append(byte)
        index += 3
      } else {
        result.append(bytes[index] == UInt8(ascii: "+") ? .blank : bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func encoded(_ text: String) -> [UInt8] {
    PercentEncoding.encode(text.utf8) { $0.isLetter || $0.isDigit || "*-._".utf8.contains($0) }
  }
}
