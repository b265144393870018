/// A scope as the token map knows it: its elements, each once, in one order.
///
/// Source: section 3 of the protocol: the elements split on white space, sorted. Equal scopes share
/// one token, however they were written.
package struct AuthorizationScope: Hashable, Sendable, CustomStringConvertible {
  /// The elements in ascending order of their bytes, parted by one blank; empty for the default
  /// scope.
  package let description: String

  /// Normalises a scope; `nil` is the default scope.
  package init(_ text: String?) {
    let elements = (text ?? "").utf8.split { byte in
      byte.isBlank || (0x0A...0x0D).contains(byte)
    }
    description = Set(elements.map { Array($0) })
      .sorted { $0.lexicographicallyPrecedes($1) }.map(\.text).joined(separator: " ")
  }
}
