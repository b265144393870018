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
  func lines(hasColor: Bool) -> [String] {
    let all = [headings.map { Cell($0, .faint) }] + rows
    let widths = headings.indices.map { column in
      all.map { DisplayWidth.of($0[column].text) }.max() ?? 0
    }
    return all.map { line($0, widths, hasColor) }
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ hasColor: Bool) -> String {
    let last = cells.lastIndex { !$0.text.isEmpty } ?? 0
    var line = ""
    for (column, cell) in cells[...last].enumerated() {
      if column > 0 { line += "  " }
      let gap = widths[column] - DisplayWidth.of(cell.text)
      let blanks = String(repeating: " ", count: gap)
      let text = hasColor ? cell.paint?.on(cell.text) ?? cell.text : cell.text
      if rightAligned.contains(column) {
        line += blanks + text
      } else {
        line += column == last ? text : text + blanks
      }
    }
    return line
  }
}
