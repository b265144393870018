/// A number as a bar on a terminal.
enum Bar {
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// The bar of a number.
  ///
  /// - Parameters:
  ///   - value: The number; below zero counts as zero.
  ///   - largest: What fills the whole width.
  ///   - width: How many columns there are.
  /// - Returns: Blocks; what is more than nothing shows at least as a thin one.
  static func text(_ value: Int64, of largest: Int64, width: Int) -> String {
    guard value > 0, largest > 0, width > 0 else { return "" }
    let share = Double(min(value, largest)) / Double(largest)
    let filled = max(1, Int((share * Double(width * 8)).rounded()))
    return String(repeating: "█", count: filled / 8) + eighths[filled % 8]
  }
}
