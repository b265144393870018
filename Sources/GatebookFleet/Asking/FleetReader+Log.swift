public import Gatebook
internal import GatebookEvents

/// An event of a book in a fleet.
public struct FleetEvent: Hashable, Sendable {
  /// The event; personal facts are `sealed`, or `forgotten` for an erased account.
  public let event: RecordedEvent
  /// The beginning of the login that it ended without success: it says where that was; `nil` for
  /// other events.
  public let start: RecordedEvent?
}

extension FleetReader {
  /// Events of books.
  ///
  /// Those of one history come in its order. Those of several come in the order of their times,
  /// then of their books, then of their positions. The memory that it takes does not grow with the
  /// number of events.
  ///
  /// - Parameters:
  ///   - scope: Which books and accounts.
  ///   - filter: Which events.
  ///   - body: Takes the next events.
  /// - Throws: `configuration.invalid` for a book, an account or a kind that there is not, and for
  ///   a position among several histories; `fleet` failures; what `body` throws.
  public func log(
    _ scope: FleetScope = FleetScope(), _ filter: FleetLogFilter = FleetLogFilter(),
    _ body: @escaping FleetPageReader<FleetEvent>
  ) async throws(GatebookError) {
    try await ask(scope) { (selection, connection) async throws(GatebookError) in
      let query = try FleetLogQuery(selection, filter, connection)
      var events = try FleetEventPages(selection, connection)
      var rows = try FleetLogRows(query, connection)
      while true {
        let page = try rows.next()
        guard !page.isEmpty else { return }
        guard try await body(try events.page(page)) else { return }
      }
    }
  }
}

/// Makes events of their rows.
private struct FleetEventPages {
  private let selection: FleetSelection
  private let connection: FleetConnection
  private var programs = FleetPrograms()
  private let erased: Set<AccountID>

  init(_ selection: FleetSelection, _ connection: FleetConnection) throws(GatebookError) {
    self.selection = selection
    self.connection = connection
    var conditions = FleetConditions()
    conditions.add("kind = 'account.erased'")
    selection.restrict(&conditions)
    let rows = try connection.byKeys { () throws(GatebookError) in
      try connection.run(
        "SELECT DISTINCT account FROM gatebook.event \(conditions.clause)", conditions)
    }
    erased = Set(try rows.map { (row) -> AccountID? in row.identity(0) }.compactMap(\.self))
  }

  mutating func page(_ rows: [FleetRow]) throws(GatebookError) -> FleetPage<FleetEvent> {
    try programs.learn(Set(rows.map(\.place.book)), connection)
    let starts = try FleetEvents(connection).at(rows.compactMap(startPlace))
    // Looking up places has put the settings back.
    try connection.preferKeys()
    var page = FleetPage<FleetEvent>()
    for row in rows {
      guard let book = selection.book(row.place.book, row.place.branch) else { continue }
      guard let event = recorded(row) else {
        if !page.unreadable.contains(book) { page.unreadable.append(book) }
        continue
      }
      let start = startPlace(row).flatMap { starts[$0] }.flatMap { recorded($0) }
      page.entries.append(
        FleetEntry(
          book: book,
          value: FleetEvent(
            event: event, start: start?.isKind(.loginStarted) == true ? start : nil)))
    }
    return page
  }

  private func startPlace(_ row: FleetRow) -> EventPlace? {
    let ends = [EventKind.loginFailed, .loginCancelled].map(\.rawValue)
    guard ends.contains(row.kind), let cause = row.cause,
      let book = selection.book(row.place.book, row.place.branch)
    else { return nil }
    return selection.place(of: cause, in: book)
  }

  private func recorded(_ row: FleetRow) -> RecordedEvent? {
    guard let data = Facts(decoding: row.data),
      let program = programs.program(row.program, of: row.place.book)
    else { return nil }
    let isErased = row.account.map { erased.contains($0) } ?? false
    return RecordedEvent(
      position: row.place.position, id: row.event, account: row.account, revision: row.revision,
      session: row.session, kind: row.kind, version: Int(row.version), at: row.at,
      cause: row.cause, writer: Writer(program: program, process: row.process), data: data,
      personal: row.hasPersonal && row.account != nil ? (isErased ? .forgotten : .sealed) : nil)
  }
}
