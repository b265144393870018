/// A number as a bar on a terminal.
enum Bar {
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// The bar of a number.
  ///
  /// - Parameters:
  ///   - share: What part of the width it fills, of 1; below zero counts as zero.
  ///   - width: How many columns there are.
  /// - Returns: Blocks; what is more than nothing shows at least as a thin one.
  static func text(_ share: Double, width: Int) -> String {
    guard share > 0, width > 0 else { return "" }
    let filled = max(1, Int((min(share, 1) * Double(width * 8)).rounded()))
    return String(repeating: "█", count: filled / 8) + eighths[filled % 8]
  }
}
