/// How many columns a text takes on a terminal.
enum DisplayWidth {
  /// The columns of a text without control characters.
  static func of(_ text: String) -> Int {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// A text that takes no more columns than there are; what is left out shows as an ellipsis.
  static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var room = width - 1
    let kept = text.prefix { character in
      room -= of(character)
      return room >= 0
    }
    return kept + "…"
  }

  /// A character is as wide as the widest of its scalars: what combines with it adds nothing.
  private static func of(_ character: Character) -> Int {
    character.unicodeScalars.map { of($0) }.max() ?? 0
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  /// East Asian wide and fullwidth blocks of Unicode's annex 11, and what prints as an emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
      0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }
}

extension String {
  /// The text with blanks after it up to a width; at least two, where it is not shorter.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(2, width - DisplayWidth.of(self)))
  }
}
