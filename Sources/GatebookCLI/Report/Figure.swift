/// Numbers as people read them.
enum Figure {
  /// A whole number with its thousands parted: `1,234,567`.
  static func text(_ number: some BinaryInteger) -> String {
    var digits = String(number.magnitude)
    var place = digits.endIndex
    while let next = digits.index(place, offsetBy: -3, limitedBy: digits.startIndex),
      next > digits.startIndex
    {
      digits.insert(",", at: next)
      place = next
    }
    return (number < 0 ? "-" : "") + digits
  }

  /// A number with its noun: `1 event`, `2 events`.
  static func text(_ number: some BinaryInteger, _ one: String, _ several: String) -> String {
    "\(text(number)) \(number == 1 ? one : several)"
  }

  /// A part of a whole as a length of CSS: `12.345%`.
  static func percent(_ part: Double) -> String {
    "\((part * 100_000).rounded() / 1_000)%"
  }
}
