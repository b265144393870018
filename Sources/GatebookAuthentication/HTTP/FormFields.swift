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

  /// The fields in their order; a name may stand more than once.
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

  /// Whether a name stands more than once: RFC 6749 section 3.1 forbids it.
  package var hasRepetition: Bool {
    Set(fields.map { Array($0.name.utf8) }).count < fields.count
  }
}
