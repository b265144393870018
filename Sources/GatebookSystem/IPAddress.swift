internal import Glibc

/// An IP address as a URL may contain it (RFC 3986 section 3.2.2).
///
/// Only the forms of the grammar: `127.1`, `0x7f.1` and `2130706433`, which some functions of C
/// read as addresses too, are none.
package struct IPAddress: Hashable, CustomStringConvertible {
  /// Four or sixteen bytes, big end first.
  package let bytes: [UInt8]

  /// Reads either kind, an IPv6 address without brackets and zone.
  package init?(_ text: some StringProtocol) {
    guard let bytes = Self.read(String(text)) else { return nil }
    self.bytes = bytes
  }

  private static func read(_ text: String) -> [UInt8]? {
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

  /// Whether it is one of 128 bits.
  package var isLong: Bool { bytes.count == 16 }

  /// Whether it is of 127.0.0.0/8 or `::1`.
  ///
  /// IPv4 addresses inside IPv6 are not looked at: nobody types them for loopback.
  package var isLoopback: Bool {
    isLong ? bytes == [UInt8](repeating: 0, count: 15) + [1] : bytes[0] == 127
  }

  /// The one text for the address; RFC 5952 section 4 for IPv6.
  package var description: String {
    guard isLong else { return bytes.map { String($0) }.joined(separator: ".") }
    let groups = stride(from: 0, to: 16, by: 2).map { index in
      UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }
    let gap = Self.longestGap(groups)
    let hex = groups.map { String($0, radix: 16) }
    guard gap.count > 1 else { return hex.joined(separator: ":") }
    return hex[..<gap.lowerBound].joined(separator: ":") + "::"
      + hex[gap.upperBound...].joined(separator: ":")
  }

  /// The first of the longest runs of zero groups.
  private static func longestGap(_ groups: [UInt16]) -> Range<Int> {
    var longest = 0..<0
    var start = 0
    for index in groups.indices {
      guard groups[index] == 0 else {
        start = index + 1
        continue
      }
      if index + 1 - start > longest.count { longest = start..<index + 1 }
    }
    return longest
  }
}
