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

  /// Whether a text holds another that is not empty.
  package static func contains(
    _ part: UnsafeRawBufferPointer, in whole: UnsafeRawBufferPointer
  ) -> Bool {
    guard let first = part.first, let begin = part.baseAddress, var place = whole.baseAddress
    else { return false }
    let end = place + whole.count
    while end - place >= part.count,
      let found = memchr(place, Int32(first), end - place - part.count + 1)
    {
      if memcmp(found, begin, part.count) == 0 { return true }
      place = UnsafeRawPointer(found) + 1
    }
    return false
  }
}
