internal import Gatebook
internal import GatebookFleet

/// How the books of a fleet are named.
enum FleetRendering {
  /// The machine's name, else the beginning of the book's id; for a copy with its branch.
  static func name(_ book: FleetBook) -> String { name(book.id, book.branch, book.machine) }

  /// The same of the parts.
  static func name(_ book: BookID, _ branch: Int, _ machine: String?) -> String {
    (machine ?? AccountNames.short(book)) + (branch == 0 ? "" : " (branch \(branch))")
  }

  /// What names a book for programs.
  static func members(_ book: FleetBook?) -> [(String, JSON?)] {
    guard let book else { return [] }
    return members(book.id, book.branch, book.machine)
  }

  /// The same of the parts.
  static func members(
    _ book: BookID, _ branch: Int, _ machine: String?
  ) -> [(String, JSON?)] {
    [
      ("book", .text(book.description)), ("machine", machine.map(JSON.text)),
      ("branch", branch == 0 ? nil : .integer(Int64(branch))),
    ]
  }

  /// The first column of tables.
  static func column(_ books: [FleetBook]) -> [TextTable.Cell] {
    books.map { TextTable.Cell(name($0)) }
  }

  /// The histories as objects.
  static func json(_ book: FleetBook) -> JSON {
    .members(
      members(book) + [
        ("size", .integer(book.size)),
        ("lastEvent", book.lastEvent.map(JSON.time)),
        ("heard", .time(book.heard)),
        ("begun", .time(book.begun)),
        ("signed", .bool(book.checkpoint != nil)),
        ("owner", .text(book.owner)),
        ("accounts", .integer(book.accounts)),
        ("withheld", book.withheld == 0 ? nil : .integer(book.withheld)),
        ("first", book.first.rawValue <= 1 ? nil : .position(book.first)),
        ("forgotten", book.forgotten == .start ? nil : .position(book.forgotten)),
        ("parent", book.parent.map { .integer(Int64($0)) }),
        ("forkedAfter", book.parent == nil ? nil : .position(book.base)),
        ("folded", book.hasOldStates ? .position(book.folded) : nil),
      ])
  }

  /// The histories as a table.
  static func table(_ books: [FleetBook], _ times: TimeText) -> TextTable {
    var table = TextTable(
      [
        TableColumn("machine", .cut(atLeast: 20)), .whole("book"), .number("events"),
        .whole("last event"), .whole("heard"), .whole("signed"),
        TableColumn("owner", .cut(atLeast: 8)),
        TableColumn("marks", .wrapped(atLeast: 16)),
      ], givesUp: ["owner", "marks", "signed", "last event"])
    for book in books {
      let marks = marks(book)
      table.add([
        TextTable.Cell(name(book)), TextTable.Cell(AccountNames.short(book.id)),
        TextTable.Cell(String(book.size)), TextTable.Cell(book.lastEvent.map(times.text) ?? ""),
        TextTable.Cell(times.text(book.heard)),
        TextTable.Cell(
          book.checkpoint == nil ? "no" : "yes", book.checkpoint == nil ? .warning : nil),
        TextTable.Cell(book.owner), TextTable.Cell(marks.joined(separator: ", "), .warning),
      ])
    }
    return table
  }

  private static func marks(_ book: FleetBook) -> [String] {
    [
      book.parent.map { "forked from branch \($0) after \(book.base)" },
      book.withheld > 0
        ? "\(Figure.text(book.withheld, "event", "events")) without encrypted facts" : nil,
      book.forgotten > .start
        ? "events up to \(book.forgotten) forgotten"
        : book.first.rawValue > 1 ? "begins at \(book.first)" : nil,
    ].compactMap(\.self)
  }
}

extension JSON {
  /// An object of a book: what names the book comes first.
  func of(_ book: FleetBook) -> JSON {
    guard case .object(let own) = self else { return self }
    return .members(FleetRendering.members(book) + own.map { ($0.name, $0.value) })
  }
}
