/// Numbers that are kept as the text that a server wrote: fractions, and integers beyond 64 bits.
enum JSONNumber {
  /// Whether a text is what ``JSONDocument`` makes of such a number.
  ///
  /// A server's text that looks like one is taken for one: nothing tells them apart.
  static func isKeptAsText(_ text: String) -> Bool {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || isDigit(first),
      text.utf8.last.map(isDigit) == true
    else { return false }
    return JSONDocument.read(Array(text.utf8)) == .text(text)
  }

  /// The integer that a text says exactly: `18446744073709551615`, `1.0`, `12e2`; `nil` when it is
  /// none or does not fit.
  static func integer<Integer: FixedWidthInteger>(
    _ text: String, _ type: Integer.Type
  ) -> Integer? {
    if let integer = Integer(text, radix: 10) { return integer }
    // Up to 2^53 every integer is a Double of its own, and a fraction is seen.
    guard let number = Double(text), number.magnitude <= 9_007_199_254_740_992 else { return nil }
    return Integer(exactly: number)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
