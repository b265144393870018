/// How wide the columns of a table are on a terminal, and which of them have no place there.
struct TableLayout {
  /// As wide as bars are where there is room.
  static let barWidth = 24
  /// Between two columns.
  static let gap = 2

  /// The width of each column; `nil` for one below its row, or a hidden one.
  private(set) var widths: [Int?]
  /// The columns below their row.
  private(set) var below: [Int] = []
  /// Whether headings of several words take several lines.
  private(set) var wrapsHeadings = false

  private let columns: [TableColumn]
  private let contents: [Int]

  /// Finds the widths.
  ///
  /// - Parameters:
  ///   - columns: All columns.
  ///   - contents: How wide the widest cell of each is, without its heading.
  ///   - givesUp: The columns that a narrow terminal can do without, in that order; those of them
  ///     that wrap are put below their row.
  ///   - width: How many columns the terminal has; `nil` for any number.
  init(_ columns: [TableColumn], contents: [Int], givesUp: [Int], width: Int?) {
    self.columns = columns
    self.contents = zip(columns, contents).map { column, content in
      if case .bars = column.fit { Self.barWidth } else { content }
    }
    widths = Array(repeating: 0, count: columns.count)
    var rest = givesUp[...]
    while let width, total(least: true) > width {
      if !wrapsHeadings {
        wrapsHeadings = true
      } else if let column = rest.popFirst() {
        widths[column] = nil
        if case .wrapped = columns[column].fit { below.append(column) }
      } else {
        break
      }
    }
    for column in shown { widths[column] = self.width(of: column, least: false) }
    if let width { shrink(into: width) }
  }

  private var shown: [Int] { columns.indices.filter { widths[$0] != nil } }

  /// How wide a column is at most, or at least, in its place.
  private func width(of column: Int, least: Bool) -> Int {
    let heading = columns[column].heading
    let words = wrapsHeadings ? heading.split(separator: " ") : [Substring(heading)]
    let head = words.map { DisplayWidth.of(String($0)) }.max() ?? 0
    let most = max(head, contents[column])
    guard least else { return most }
    return switch columns[column].fit {
    case .whole: most
    case .cut(let atLeast), .wrapped(let atLeast), .bars(let atLeast): min(most, atLeast)
    }
  }

  private func total(least: Bool) -> Int {
    shown.reduce(0) { $0 + width(of: $1, least: least) } + Self.gap * (shown.count - 1)
  }

  /// Takes from bars, then from the widest columns, until all fit or all are at their least.
  private mutating func shrink(into width: Int) {
    var excess = total(least: false) - width
    while excess > 0 {
      let able = shown.filter { (widths[$0] ?? 0) > self.width(of: $0, least: true) }
      let bars = able.first { if case .bars = columns[$0].fit { true } else { false } }
      guard let next = bars ?? able.max(by: { (widths[$0] ?? 0) < (widths[$1] ?? 0) }) else {
        return
      }
      widths[next]? -= 1
      excess -= 1
    }
  }
}

/// A column of a table: its heading, and what may become of it on a narrow terminal.
struct TableColumn: Sendable, ExpressibleByStringLiteral {
  /// What a column does for want of room.
  enum Fit: Hashable, Sendable {
    /// Nothing: what is cut of a time or a number misleads.
    case whole
    /// Long cells end in an ellipsis, but not in fewer columns than these.
    case cut(atLeast: Int)
    /// Long cells continue in the next line; if there are not even so many columns, they may be put
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
