/// Makes texts from elsewhere harmless for a terminal.
enum Printable {
  /// The text with every character that a terminal might obey written as `\x1b` or `\u{202e}`.
  ///
  /// - Parameters:
  ///   - text: Anything, also from a server.
  ///   - keepsLines: Whether line ends and tabs stay as they are.
  /// - Returns: Text that only prints.
  static func text(_ text: String, keepsLines: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if !isUnsafe(scalar) || (keepsLines && (scalar == "\n" || scalar == "\t")) {
        result.unicodeScalars.append(scalar)
      } else {
        result += escaped(scalar)
      }
    }
    return result
  }

  /// Whether a terminal might obey the scalar, or a reader be misled by it: C0, DEL, C1, line
  /// separators, and the marks that turn the direction of writing.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C, 0xFEFF:
      true
    default: false
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": return #"\n"#
    case "\r": return #"\r"#
    case "\t": return #"\t"#
    default:
      let digits = String(scalar.value, radix: 16)
      guard scalar.value > 0xFF else {
        return #"\x"# + (digits.count < 2 ? "0" : "") + digits
      }
      return #"\u{\#(digits)}"#
    }
  }
}
