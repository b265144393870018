/// Texts of servers and accounts, as the page may show them.
///
/// HTML's own marks are escaped by ``Template``. What is left are characters that change the
/// direction or the place of the text around them.
enum ShownText {
  /// The longest text: what is longer is no message for people.
  private static let longest = 500

  /// The text without control characters and without marks of direction, cut where it is long.
  static func of(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if result.count == longest {
        result.append("…")
        break
      }
      if scalar == "\n" || scalar == "\t" {
        result.append(" ")
      } else if !isUnsafe(scalar) {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Controls, and the marks of the Unicode Bidirectional Algorithm (UAX #9, section 2).
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
