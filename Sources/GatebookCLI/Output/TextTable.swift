/// Rows of cells under headings, each column as wide as its widest cell.
struct TextTable: Sendable {
  /// One cell: text from anywhere, and what its colour says.
  struct Cell: Sendable, ExpressibleByStringInterpolation {
    let text: String
    let paint: Paint?
    /// What part of its column a bar fills, of 1; `nil` for text.
    let share: Double?

    init(_ text: String, _ paint: Paint? = nil) {
      self.text = Printable.text(text)
      self.paint = paint
      share = nil
    }

    /// Makes a bar, which is drawn as long as there is room.
    init(bar value: Int64, of largest: Int64, _ paint: Paint) {
      text = ""
      self.paint = paint
      share = largest > 0 ? Double(max(0, value)) / Double(largest) : 0
    }

    init(stringLiteral text: String) {
      self.init(text)
    }
  }

  private var columns: [TableColumn]
  private var givesUp: [Int]
  private var rows: [[Cell]] = []
  /// What rows that are gone, or may come, take of each column.
  private var reserved: [Int]

  /// Makes an empty table.
  ///
  /// - Parameters:
  ///   - columns: One for each cell of a row.
  ///   - givesUp: The headings of the columns that a narrow terminal can do without, the least
  ///     needed one first; those of them that wrap are put below their row.
  init(_ columns: [TableColumn], givesUp: [String] = []) {
    self.columns = columns
    self.givesUp = givesUp.compactMap { heading in
      columns.firstIndex { $0.heading == heading }
    }
    reserved = Array(repeating: 0, count: columns.count)
  }

  /// Makes a column so wide at least, where there is room.
  mutating func reserve(_ width: Int, for heading: String) {
    guard let column = columns.firstIndex(where: { $0.heading == heading }) else { return }
    reserved[column] = max(reserved[column], width)
  }

  /// The same table with another column before its first one.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - cells: Its cell of each row.
  /// - Returns: The table.
  func led(by column: TableColumn, _ cells: [Cell]) -> TextTable {
    var table = self
    table.columns.insert(column, at: 0)
    table.givesUp = givesUp.map { $0 + 1 }
    table.reserved.insert(0, at: 0)
    table.rows = zip(cells, rows).map { [$0] + $1 }
    return table
  }

  /// The columns' headings.
  var headings: [String] { columns.map(\.heading) }

  /// Makes its columns at least as wide as those of a table with the same headings.
  mutating func widen(to other: TextTable) {
    reserved = zip(reserved, other.contents).map { max($0, $1) }
  }

  /// Forgets the rows, but not how wide they were: later rows are printed below them.
  mutating func removeRows() {
    reserved = contents
    rows.removeAll()
  }

  /// How wide the widest cell of each column is.
  private var contents: [Int] {
    columns.indices.map { column in
      rows.reduce(reserved[column]) { max($0, DisplayWidth.of($1[column].text)) }
    }
  }

  /// Adds a row of one cell for each column.
  mutating func add(_ cells: [Cell]) {
    rows.append(cells)
  }

  /// The lines, headings first, without blanks at their ends.
  ///
  /// - Parameters:
  ///   - hasColor: Whether there are colours.
  ///   - width: Into how many columns the lines should fit; `nil` for any width, with a line for
  ///     each row then.
  ///   - hasHeadings: Whether the headings are printed.
  /// - Returns: The lines.
  func lines(hasColor: Bool, width: Int? = nil, hasHeadings: Bool = true) -> [String] {
    let layout = TableLayout(columns, contents: contents, givesUp: givesUp, width: width)
    var lines: [String] = []
    if hasHeadings {
      let pieces = columns.indices.map { heading(columns[$0].heading, layout.widths[$0], layout) }
      lines += stacked(pieces, columns.map { _ in .faint }, layout, hasColor)
    }
    for row in rows {
      let pieces = columns.indices.map { self.pieces(row[$0], $0, layout.widths[$0]) }
      lines += stacked(pieces, row.map(\.paint), layout, hasColor)
      for column in layout.below where !row[column].text.isEmpty {
        lines += below(row[column], width, hasColor)
      }
    }
    return lines
  }

  // MARK: Cells

  private func heading(_ text: String, _ width: Int?, _ layout: TableLayout) -> [String] {
    guard let width else { return [] }
    guard layout.wrapsHeadings else { return [DisplayWidth.cut(text, to: width)] }
    return WrappedText.lines(text, width: width).map { DisplayWidth.cut($0, to: width) }
  }

  private func pieces(_ cell: Cell, _ column: Int, _ width: Int?) -> [String] {
    guard let width else { return [] }
    if let share = cell.share { return [Bar.text(share, width: width)] }
    guard case .wrapped = columns[column].fit else {
      return [DisplayWidth.cut(cell.text, to: width)]
    }
    return WrappedText.lines(cell.text, width: width)
  }

  /// The lines of a cell that has no room in its row.
  private func below(_ cell: Cell, _ width: Int?, _ hasColor: Bool) -> [String] {
    let indent = String(repeating: " ", count: Self.indent)
    return WrappedText.lines(cell.text, width: (width ?? .max) - Self.indent).map { line in
      indent + (hasColor ? cell.paint?.on(line) ?? line : line)
    }
  }

  /// Deep enough to be seen as part of the row above.
  private static let indent = 4

  // MARK: Lines

  /// The lines of a row whose cells may have several.
  private func stacked(
    _ cells: [[String]], _ paints: [Paint?], _ layout: TableLayout, _ hasColor: Bool
  ) -> [String] {
    let height = cells.map(\.count).max() ?? 0
    return (0..<max(1, height)).map { number in
      let texts = cells.map { $0.indices.contains(number) ? $0[number] : "" }
      return line(texts, paints, layout.widths, hasColor)
    }
  }

  private func line(
    _ texts: [String], _ paints: [Paint?], _ widths: [Int?], _ hasColor: Bool
  ) -> String {
    let shown = columns.indices.filter { widths[$0] != nil }
    let last = shown.last { !texts[$0].isEmpty } ?? shown.first ?? 0
    var line = ""
    for column in shown where column <= last {
      if column != shown.first { line += String(repeating: " ", count: TableLayout.gap) }
      let plain = texts[column]
      let blanks = String(
        repeating: " ", count: max(0, (widths[column] ?? 0) - DisplayWidth.of(plain)))
      let text = hasColor && !plain.isEmpty ? paints[column]?.on(plain) ?? plain : plain
      if columns[column].isRightAligned {
        line += blanks + text
      } else {
        line += column == last ? text : text + blanks
      }
    }
    return line
  }
}

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
