internal import Glibc

/// Addresses of the internet protocol as text.
package enum IPAddress {
  /// The 4 or 16 bytes of an address; `nil` for a name.
  package static func bytes(_ text: String) -> [UInt8]? {
    // C would read the text up to there alone.
    guard !text.utf8.contains(0) else { return nil }
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      return withUnsafeBytes(of: four) { Array($0) }
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    return withUnsafeBytes(of: six) { Array($0) }
  }
}
