/// Rows of cells under headings, each column as wide as its widest cell.
struct TextTable: Sendable {
  /// One cell: text from anywhere, and what its colour says.
  struct Cell: Sendable, ExpressibleByStringInterpolation {
    let text: String
    let paint: Paint?

    init(_ text: String, _ paint: Paint? = nil) {
      self.text = Printable.text(text)
      self.paint = paint
    }

    init(stringLiteral text: String) {
      self.init(text)
    }
  }

  /// No column is cut to less.
  private static let narrowest = 8

  private let headings: [String]
  private let rightAligned: Set<Int>
  private var rows: [[Cell]] = []

  /// Makes an empty table.
  ///
  /// - Parameters:
  ///   - headings: One for each column.
  ///   - rightAligned: The columns of numbers.
  init(_ headings: [String], rightAligned: Set<Int> = []) {
    self.headings = headings
    self.rightAligned = rightAligned
  }

  /// Adds a row of one cell for each column.
  mutating func add(_ cells: [Cell]) {
    rows.append(cells)
  }

  /// The lines, headings first, without blanks at their ends.
  ///
  /// - Parameters:
  ///   - hasColor: Whether there are colours.
  ///   - width: Into how many columns the lines should fit; the widest cells are cut for that, numbers
  ///     never. `nil` for any width.
  /// - Returns: At least the headings.
  func lines(hasColor: Bool, width: Int? = nil) -> [String] {
    let all = [headings.map { Cell($0, .faint) }] + rows
    let widths = headings.indices.map { column in
      all.map { DisplayWidth.of($0[column].text) }.max() ?? 0
    }
    let fitting = width.map { fitted(widths, into: $0) } ?? widths
    return all.map { line($0, fitting, hasColor) }
  }

  /// Takes from the widest columns until all fit, or none can be cut any more.
  private func fitted(_ widths: [Int], into width: Int) -> [Int] {
    var widths = widths
    let columns = widths.indices.filter { !rightAligned.contains($0) }
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
    while excess > 0, let widest = columns.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > Self.narrowest
    {
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ hasColor: Bool) -> String {
    let last = cells.lastIndex { !$0.text.isEmpty } ?? 0
    var line = ""
    for (column, cell) in cells[...last].enumerated() {
      if column > 0 { line += "  " }
      let plain = DisplayWidth.cut(cell.text, to: widths[column])
      let gap = widths[column] - DisplayWidth.of(plain)
      let blanks = String(repeating: " ", count: gap)
      let text = hasColor ? cell.paint?.on(plain) ?? plain : plain
      if rightAligned.contains(column) {
        line += blanks + text
      } else {
        line += column == last ? text : text + blanks
      }
    }
    return line
  }
}
