internal import GatebookSystem

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
      let address = IPAddress(bytes[(bytes.startIndex + 1)..<close].text)
      host = address?.isLong == true ? address?.description : nil
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
    return isNumber ? IPAddress(bytes.text)?.description : bytes.lowercaseText
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
