internal import GatebookEvents

/// Times in tokens: seconds since 1970 UTC, which may have a fraction (RFC 7519 section 2).
enum NumericDate {
  /// The end of the year 9999: what is later is no date, such as one in milliseconds.
  private static let maximum: Int64 = 253_402_300_799

  /// The moment of a claim.
  ///
  /// - Parameters:
  ///   - value: The value as it was read.
  ///   - isNumber: Whether a text stands for a number that is no 64-bit integer.
  /// - Returns: The moment; `nil` for anything but a number from 1970 to 9999.
  static func moment(_ value: FactValue, isNumber: Bool) -> Timestamp? {
    switch value {
    case .integer(let seconds):
      guard (0...maximum).contains(seconds) else { return nil }
      return Timestamp(rawValue: seconds * 1_000_000)
    case .text(let text) where isNumber:
      guard let seconds = Double(text), (0...Double(maximum)).contains(seconds) else { return nil }
      return Timestamp(rawValue: Int64((seconds * 1_000_000).rounded()))
    case .text, .null, .bool, .list, .object: return nil
    }
  }
}
