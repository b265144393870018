/// An IP address as a URL may contain it (RFC 3986 section 3.2.2).
///
/// Only the forms of the grammar: `127.1`, `0x7f.1` and `2130706433`, which C libraries read as
/// addresses too, are none.
struct IPAddress: Hashable, CustomStringConvertible {
  /// Four or sixteen bytes, big end first.
  let bytes: [UInt8]

  /// Reads either kind, an IPv6 address without brackets and zone.
  init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)[...]
    guard let address = IPAddress(v4: bytes) ?? IPAddress(v6: bytes) else { return nil }
    self = address
  }

  /// Reads four decimal numbers without leading zeros.
  init?(v4 text: ArraySlice<UInt8>) {
    let parts = text.split(separator: .dot, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> UInt8? in
      guard part.count <= 3, part.allSatisfy(\.isDigit) else { return nil }
      guard part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
      return UInt8(part.text)
    }
    guard parts.count == 4, numbers.count == 4 else { return nil }
    bytes = numbers
  }

  /// Reads the forms of RFC 4291 section 2.2.
  init?(v6 text: ArraySlice<UInt8>) {
    guard let gap = text.indices.dropLast().first(where: { Self.isGap(at: $0, in: text) }) else {
      guard let groups = Self.groups(text), groups.count == 8 else { return nil }
      self.init(groups: groups)
      return
    }
    let head = text[..<gap]
    guard !head.contains(.dot), let first = Self.groups(head),
      let last = Self.groups(text[(gap + 2)...]), first.count + last.count <= 7
    else { return nil }
    let zeros = [UInt16](repeating: 0, count: 8 - first.count - last.count)
    self.init(groups: first + zeros + last)
  }

  private init(groups: [UInt16]) {
    bytes = groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  private static func isGap(at index: Int, in text: ArraySlice<UInt8>) -> Bool {
    text[index] == .colon && text[index + 1] == .colon
  }

  /// Groups between colons, the last two possibly as an IPv4 address.
  private static func groups(_ text: ArraySlice<UInt8>) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    let parts = text.split(separator: .colon, omittingEmptySubsequences: false)
    guard parts.count <= 8 else { return nil }
    var groups: [UInt16] = []
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, let address = IPAddress(v4: part)?.bytes {
        groups.append(UInt16(address[0]) << 8 | UInt16(address[1]))
        groups.append(UInt16(address[2]) << 8 | UInt16(address[3]))
        continue
      }
      guard (1...4).contains(part.count), part.allSatisfy({ $0.hexValue != nil }) else {
        return nil
      }
      groups.append(part.reduce(0) { $0 << 4 | UInt16($1.hexValue ?? 0) })
    }
    return groups
  }

  /// Whether it is of 127.0.0.0/8 or `::1`.
  ///
  /// IPv4 addresses inside IPv6 are not looked at: nobody types them for loopback.
  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// The one text for the address; RFC 5952 section 4 for IPv6.
  var description: String {
    guard bytes.count == 16 else { return bytes.map { String($0) }.joined(separator: ".") }
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

/// The part of a URL between `//` and the path: host and port (RFC 3986 section 3.2).
struct Authority {
  /// The server that it names.
  let origin: Origin

  /// Reads host and port; user information is refused (RFC 9110 section 4.2.4).
  init?(_ bytes: ArraySlice<UInt8>, scheme: String) {
    let hostEnd: Int
    let host: String?
    if bytes.first == UInt8(ascii: "[") {
      guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      host = IPAddress(v6: bytes[(bytes.startIndex + 1)..<close])?.description
      hostEnd = close + 1
    } else {
      hostEnd = bytes.firstIndex(of: .colon) ?? bytes.endIndex
      host = Self.name(bytes[..<hostEnd])
    }
    guard let host, let port = Self.port(bytes[hostEnd...], scheme: scheme) else { return nil }
    origin = Origin(scheme: scheme, host: host, port: port)
  }

  /// A registered name or an IPv4 address, in lower case.
  ///
  /// Narrower than the grammar: letters, digits, hyphens and underscores, no empty label. A dot at
  /// the end is refused: it makes a second name for the same host, which no list of public suffixes
  /// knows. A last label that starts like a number is an address to C libraries, so it has to be
  /// one by the grammar.
  private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    let labels = bytes.split(separator: .dot, omittingEmptySubsequences: false)
    guard (1...253).contains(bytes.count), let last = labels.last else { return nil }
    for label in labels {
      guard (1...63).contains(label.count), label.allSatisfy(isNameByte) else { return nil }
    }
    let isNumber =
      last.allSatisfy(\.isDigit)
      || last.map(\.lowercase).starts(with: "0x".utf8)
    return isNumber ? IPAddress(v4: bytes)?.description : bytes.lowercaseText
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == .hyphen || byte == UInt8(ascii: "_")
  }

  /// The port after a colon; the scheme's own if there is none.
  private static func port(_ bytes: ArraySlice<UInt8>, scheme: String) -> Int? {
    let own = scheme == "https" ? 443 : 80
    guard let first = bytes.first else { return own }
    let digits = bytes.dropFirst()
    guard first == .colon, digits.count <= 5, digits.allSatisfy(\.isDigit) else { return nil }
    if digits.isEmpty { return own }
    return Int(digits.text).flatMap { (1...65_535).contains($0) ? $0 : nil }
  }
}
