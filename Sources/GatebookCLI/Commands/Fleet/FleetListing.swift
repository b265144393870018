internal import Gatebook
internal import GatebookFleet

/// Prints a long answer of a fleet page by page: objects, or a table whose columns stay as wide.
@MainActor final class FleetListing<Value: Sendable> {
  private let output: Output
  /// What was printed last: what follows below it is as wide.
  private var former: TextTable?
  private var books: Set<FleetBook> = []
  private var unreadable: [FleetBook] = []
  /// How many entries came.
  private(set) var count = 0
  /// How many of them were printed.
  private(set) var printed = 0

  /// What is printed of a page.
  typealias Part = (
    entries: [FleetEntry<Value>], json: (Value) -> JSON, table: TextTable
  )

  init(_ output: Output) {
    self.output = output
  }

  /// Prints a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - render: Chooses its entries, and says how they are printed.
  /// - Returns: Whether somebody still reads.
  /// - Throws: What writing throws.
  func take(
    _ page: FleetPage<Value>,
    _ render: @MainActor (FleetPage<Value>, Output) -> Part
  ) throws(GatebookError) -> Bool {
    unreadable += page.unreadable
    count += page.entries.count
    books.formUnion(page.entries.map(\.book))
    let part = render(page, output)
    printed += part.entries.count
    if output.isJSON {
      for entry in part.entries { output.json(part.json(entry.value).of(entry.book)) }
    } else if !part.entries.isEmpty {
      var table = part.table.led(by: "machine", FleetRendering.column(part.entries.map(\.book)))
      let isContinued = former?.headings == table.headings
      if isContinued, let former { table.widen(to: former) }
      output.table(table, hasHeadings: !isContinued)
      former = table
    }
    try output.finish()
    return output.hasReader
  }

  /// Says what is to be said after the last page.
  ///
  /// - Parameters:
  ///   - empty: What is said where nothing came.
  ///   - hasStates: Whether the answer is of stored states, which may be old.
  ///   - missing: The servers that did not answer.
  /// - Returns: The exit.
  /// - Throws: `fleet.mismatch` where something could not be read.
  func finish(
    _ empty: String, hasStates: Bool = true, _ missing: MissingServers
  ) throws -> ExitCode {
    if count == 0 { output.empty(empty) }
    if hasStates, !output.isJSON {
      FleetQuestion.tellOldStates(books.sorted { $0.id < $1.id }, output)
    }
    let exit = missing.finish()
    try FleetQuestion.check(unreadable: unreadable)
    return exit
  }
}
