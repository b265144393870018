internal import Glibc

/// Comparing memory at the system's speed.
package enum Bytes {
  /// Whether both have the same bytes.
  package static func areEqual(
    _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
  ) -> Bool {
    guard one.count == other.count else { return false }
    guard let first = one.baseAddress, let second = other.baseAddress else { return one.isEmpty }
    return memcmp(first, second, one.count) == 0
  }
}
