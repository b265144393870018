/// Sizes for people.
enum ByteCount {
  private static let units: [(size: Int, name: String)] = [
    (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"),
  ]

  /// A size in the unit that fits it, such as `3.4 MiB`.
  ///
  /// - Parameter bytes: The size.
  /// - Returns: A number of at most three digits with its unit.
  static func text(_ bytes: Int) -> String {
    guard let unit = units.first(where: { bytes >= $0.size }) else { return "\(bytes) bytes" }
    // A quotient first: a size that a server claims may be as large as a number can be.
    let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit.size)
    return whole >= 10
      ? "\(whole) \(unit.name)" : "\(whole).\(rest * 10 / unit.size) \(unit.name)"
  }
}
