internal import GatebookEvents

/// A 64-bit number of a portal: a JSON number in 6.2, a decimal text in 7.
enum LiferayNumber {
  /// The number; `nil` for anything else.
  static func read(_ value: FactValue) -> Int64? {
    value.integer ?? value.text.flatMap { Int64($0) }
  }
}
