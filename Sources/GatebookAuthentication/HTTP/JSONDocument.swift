package import GatebookEvents

/// Reads JSON as servers send it, strictly by RFC 8259.
///
/// Refused: a name twice in one object (readers differ in which one they take), bytes that are not
/// UTF-8, more than 32 levels. Taken: a byte order mark at the start. A number that is no 64-bit
/// integer is kept as the text that was written; a surrogate without its other half becomes U+FFFD.
package enum JSONDocument {
  /// The deepest nesting of lists and objects.
  package static let maximumDepth = 32

  /// The value of a document.
  ///
  /// - Parameters:
  ///   - bytes: The whole document.
  ///   - maximumSize: The most bytes that are looked at; a larger document is refused.
  /// - Returns: The value; `nil` for anything that is not one JSON value.
  package static func read(_ bytes: [UInt8], maximumSize: Int = 1 << 20) -> FactValue? {
    guard bytes.count <= maximumSize, String(validating: bytes, as: UTF8.self) != nil else {
      return nil
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var reader = JSONReader(bytes, from: bytes.starts(with: mark) ? mark.count : 0)
    return reader.document()
  }
}
