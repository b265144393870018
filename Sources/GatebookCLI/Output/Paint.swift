/// What a colour says: text says the same without it.
enum Paint: String, Sendable {
  case good = "32"
  case warning = "33"
  case bad = "31"
  case faint = "2"
  case strong = "1"

  /// The text in this colour (ECMA-48 section 8.3.117, SGR).
  func on(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
