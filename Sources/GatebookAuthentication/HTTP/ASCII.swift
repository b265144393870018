internal import GatebookEvents

/// The bytes that HTTP's grammars are made of (RFC 5234 appendix B.1, RFC 9110 section 5.6.2).
///
/// All parsers here read bytes, not characters: "\r\n" is one character, and lower-casing text maps
/// the Kelvin sign to an ASCII "k".
extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let blank = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let percent = UInt8(ascii: "%")
  static let comma = UInt8(ascii: ",")
  static let hyphen = UInt8(ascii: "-")
  static let dot = UInt8(ascii: ".")
  static let slash = UInt8(ascii: "/")
  static let colon = UInt8(ascii: ":")
  static let semicolon = UInt8(ascii: ";")
  static let equals = UInt8(ascii: "=")
  static let backslash = UInt8(ascii: "\\")

  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isLetter: Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }

  /// What a hexadecimal digit of either case stands for.
  var hexValue: UInt8? { Hex.value(self) }

  /// SP or HTAB: the only blanks of a header line.
  var isBlank: Bool { self == .blank || self == .tab }

  /// RFC 5234 appendix B.1, `CTL`.
  var isControl: Bool { self < 0x20 || self == 0x7F }

  /// RFC 3986 section 2.3.
  var isUnreserved: Bool { isLetter || isDigit || "-._~".utf8.contains(self) }

  /// RFC 9110 section 5.6.2, `tchar`.
  package var isTokenCharacter: Bool {
    isLetter || isDigit || "!#$%&'*+-.^_`|~".utf8.contains(self)
  }

  /// The byte with an ASCII capital made small.
  var lowercase: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes as text, ASCII capitals made small; bytes that are not UTF-8 become U+FFFD.
  var lowercaseText: String { String(decoding: map(\.lowercase), as: UTF8.self) }

  /// The bytes as text; bytes that are not UTF-8 become U+FFFD.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// The bytes without the blanks around them.
  var trimmed: SubSequence {
    guard let first = firstIndex(where: { !$0.isBlank }),
      let last = lastIndex(where: { !$0.isBlank })
    else { return self[endIndex...] }
    return self[first...last]
  }
}

extension StringProtocol {
  /// Whether both are the same bytes, except for the case of ASCII letters.
  func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
    utf8.lazy.map(\.lowercase).elementsEqual(other.utf8.lazy.map(\.lowercase))
  }
}

extension String {
  /// Whether the text is a token (RFC 9110 section 5.6.2).
  package var isToken: Bool {
    !isEmpty && utf8.allSatisfy(\.isTokenCharacter)
  }

  /// Whether a field may have the text as its value: no control characters but tabs (RFC 9110
  /// section 5.5).
  package var isFieldValue: Bool {
    utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }
  }
}
