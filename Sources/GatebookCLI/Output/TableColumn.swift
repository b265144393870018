/// A column of a table: its heading, and what may become of it on a narrow terminal.
struct TableColumn: Sendable, ExpressibleByStringLiteral {
  /// What a column does for want of room.
  enum Fit: Hashable, Sendable {
    /// Nothing: what is cut of a time or a number misleads.
    case whole
    /// Long cells end in an ellipsis, but not in fewer columns than these.
    case cut(atLeast: Int)
    /// Long cells go on in the next line; where there are not even so many columns they may stand
    /// below their row instead.
    case wrapped(atLeast: Int)
    /// Bars are drawn shorter, but not in fewer columns than these.
    case bars(atLeast: Int)
  }

  let heading: String
  let isRightAligned: Bool
  let fit: Fit

  init(_ heading: String, _ fit: Fit = .cut(atLeast: 8)) {
    self.heading = heading
    self.fit = fit
    isRightAligned = false
  }

  private init(number heading: String) {
    self.heading = heading
    fit = .whole
    isRightAligned = true
  }

  init(stringLiteral heading: String) {
    self.init(heading)
  }

  /// A column of numbers.
  static func number(_ heading: String) -> TableColumn { TableColumn(number: heading) }

  /// A column of times, or of anything else that is never cut.
  static func whole(_ heading: String) -> TableColumn { TableColumn(heading, .whole) }
}
