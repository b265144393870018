package import GatebookEvents

/// Reads JSON as servers send it, strictly by RFC 8259.
///
/// Refused: a name twice in one object (readers differ in which one they take), bytes that are not
/// UTF-8, more than 32 levels, more than 65,536 members in one object. Taken: a byte order mark at the start. A number that is no 64-bit
/// integer is kept as the text that was written; a surrogate without its other half becomes U+FFFD.
package enum JSONDocument {
  /// The deepest nesting of lists and objects.
  package static let maximumDepth = 32

  /// The most members of one object.
  package static let maximumMembers = 1 << 16

  /// The value of a document.
  ///
  /// - Parameters:
  ///   - bytes: The whole document.
  ///   - maximumSize: The most bytes that are looked at; a larger document is refused.
  /// - Complexity: The size of the document, times the logarithm of the members of its largest object.
  /// - Returns: The value; `nil` for anything that is not one JSON value.
  package static func read(_ bytes: [UInt8], maximumSize: Int = 1 << 20) -> FactValue? {
    var reader = reader(of: bytes, maximumSize: maximumSize)
    return reader?.document()
  }

  /// The members of a document that is one object, and which of them are numbers although they
  /// are kept as text.
  static func members(
    _ bytes: [UInt8], maximumSize: Int = 1 << 20
  ) -> (facts: Facts, fractions: Set<String>)? {
    guard var reader = reader(of: bytes, maximumSize: maximumSize),
      let facts = reader.document()?.object
    else { return nil }
    return (facts, reader.fractions)
  }

  private static func reader(of bytes: [UInt8], maximumSize: Int) -> JSONReader? {
    guard bytes.count <= maximumSize, String(validating: bytes, as: UTF8.self) != nil else {
      return nil
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return JSONReader(bytes, from: bytes.starts(with: mark) ? mark.count : 0)
  }
}
