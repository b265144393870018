internal import Gatebook
internal import GatebookEvents
internal import GatebookStore

/// Reads one history of a book from a fleet, in one state of the fleet.
struct PulledHistory {
  let connection: FleetConnection
  let book: FleetBook
  /// What it begins with; `nil` if it has all of its past.
  let past: PulledPast?
  /// The positions whose events a recovery did not find, in order.
  let lost: [ClosedRange<Int64>]
  private let takesWithheld: Bool
  private let parts: [HistoryParts.Part]
  private let programs: [Int64: Program]

  /// As many positions are read by one statement.
  private static let positionsAtOnce: Int64 = 32_768

  /// Finds out what a history consists of.
  ///
  /// - Parameters:
  ///   - book: The history.
  ///   - end: The last event that counts; `nil` for all.
  ///   - takesWithheld: Whether events may lack their encrypted facts.
  ///   - connection: The fleet as an auditor, in a transaction that sees one state of it.
  /// - Throws: `fleet.gap` for a book whose beginning was not shipped yet; `fleet.withheld`;
  ///   `fleet.mismatch` for a history whose beginning is not there; other
  ///   `fleet` failures.
  init(
    of book: FleetBook, upTo end: Int64? = nil, takesWithheld: Bool = false,
    _ connection: FleetConnection
  ) throws(GatebookError) {
    self.connection = connection
    self.book = book
    self.takesWithheld = takesWithheld
    let found = HistoryParts(
      of: book, among: try FleetBook.list(connection, named: book.id.description), upTo: end)
    guard book.parent != nil || book.first.rawValue <= book.size || book.forgotten.rawValue > 0
    else { throw PullRefusal.incomplete(of: book.id) }
    let lost = try Self.lost(found, book, connection)
    let past = try Self.past(found, hasLosses: !lost.isEmpty, book, connection)
    self.past = past
    self.lost =
      past.map { past in
        lost.filter { $0.lowerBound >= past.first && $0.upperBound <= past.floor }
      } ?? []
    parts = past.map { found.dropping(before: $0.first) } ?? found.parts
    if !takesWithheld {
      if past?.lacksEvents == true { throw PullRefusal.withheld(0, of: book.id) }
      try Self.refuseWithheld(found.withheld > 0 ? parts : [], book, connection)
    }
    programs = try Self.programs(of: book, connection)
  }

  /// What a history begins with; `nil` for one that has all of its past.
  private static func past(
    _ found: HistoryParts, hasLosses: Bool, _ book: FleetBook, _ connection: FleetConnection
  ) throws(GatebookError) -> PulledPast? {
    guard found.first > 1 || hasLosses else { return nil }
    // A recovery that lost events has begun with a state of its own since.
    let isStart = found.branchOfStart != nil && !hasLosses
    let rows = try PastRows.read(
      of: book.id, isStart ? found.branchOfStart : found.branchOfPast,
      isStart ? .start : .book, connection)
    guard let past = PulledPast(rows, forgotten: found.forgotten) else {
      // The state that a recovered book continues from arrives with its first events.
      guard book.floor.rawValue <= book.size else { throw PullRefusal.incomplete(of: book.id) }
      throw PullRefusal.damaged("It does not say what the book begins with.", of: book.id)
    }
    return past
  }

  /// How many events of the history are read.
  var count: Int64 {
    parts.reduce(0) { $0 + $1.last - $1.after } - lost.reduce(0) { $0 + Int64($1.count) }
  }

  private static func lost(
    _ found: HistoryParts, _ book: FleetBook, _ connection: FleetConnection
  ) throws(GatebookError) -> [ClosedRange<Int64>] {
    var lost: [ClosedRange<Int64>] = []
    for part in found.parts {
      let rows = try connection.run(
        """
        SELECT greatest(lower(r), $3 + 1), least(upper(r) - 1, $4)
        FROM gatebook.branch b, unnest(b.lost) r
        WHERE b.book = $1 AND b.branch = $2 AND lower(r) <= $4 AND upper(r) - 1 > $3 ORDER BY 1
        """, .identity(book.id), .small(Int32(part.branch)), .integer(part.after),
        .integer(part.last))
      lost += try rows.map { $0.integer(0)...max($0.integer(0), $0.integer(1)) }
    }
    return lost
  }

  /// Refuses a history with events that came without their encrypted facts.
  private static func refuseWithheld(
    _ parts: [HistoryParts.Part], _ book: FleetBook, _ connection: FleetConnection
  ) throws(GatebookError) {
    var count: Int64 = 0
    for part in parts {
      let rows = try connection.run(
        """
        SELECT count(*) FROM gatebook.event
        WHERE book = $1 AND branch = $2 AND position > $3 AND position <= $4 AND withheld
        """, .identity(book.id), .small(Int32(part.branch)), .integer(part.after),
        .integer(part.last))
      count += rows.first?.integer(0) ?? 0
    }
    guard count == 0 else { throw PullRefusal.withheld(count, of: book.id) }
  }

  private static func programs(
    of book: FleetBook, _ connection: FleetConnection
  ) throws(GatebookError) -> [Int64: Program] {
    // The text beside it cannot hold every name.
    let rows = try connection.run(
      "SELECT number, described FROM gatebook.program WHERE book = $1", .identity(book.id))
    var programs: [Int64: Program] = [:]
    for row in 0..<rows.count {
      programs[rows[row].integer(0)] = Program(described: rows[row].bytes(1))
    }
    return programs
  }

  // MARK: Events

  /// Hands out all events, in the order of positions.
  ///
  /// - Parameters:
  ///   - body: Takes an event and the program that wrote it.
  ///   - progress: Told how many positions are done.
  /// - Throws: What `body` throws; `fleet.mismatch` for a row that cannot be read; other `fleet`
  ///   failures; `cancelled`.
  func forEach(
    _ body: (ShippedEvent, Program) throws(GatebookError) -> Void, progress: (Int64) -> Void
  ) throws(GatebookError) {
    var done: Int64 = 0
    for part in parts {
      var start = part.after
      while start < part.last {
        let end = min(part.last, start + Self.positionsAtOnce)
        try read(HistoryParts.Part(branch: part.branch, after: start, last: end), body)
        done += end - start
        progress(done)
        start = end
      }
    }
  }

  private func read(
    _ part: HistoryParts.Part, _ body: (ShippedEvent, Program) throws(GatebookError) -> Void
  ) throws(GatebookError) {
    var failure: GatebookError?
    // `COPY` takes no parameters: nothing but numbers and an identity is written into it.
    let statement = """
      COPY (SELECT \(EventRow.columns) FROM gatebook.event WHERE book = '\(book.id)' \
      AND branch = \(part.branch) AND position > \(part.after) AND position <= \(part.last) \
      ORDER BY position) TO STDOUT (FORMAT binary)
      """
    try connection.talk { (postgres) throws(PostgresFailure) in
      try postgres.copyOut(statement) { piece in
        guard failure == nil, !CopyRow.isTrailer(piece) else { return }
        do throws(GatebookError) {
          try take(EventRow(piece), body)
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
  }

  private func take(
    _ row: EventRow?, _ body: (ShippedEvent, Program) throws(GatebookError) -> Void
  ) throws(GatebookError) {
    guard let row else { throw PullRefusal.damaged("A row cannot be read.", of: book.id) }
    let event = row.envelope
    guard takesWithheld || !row.isWithheld else { throw PullRefusal.withheld(1, of: book.id) }
    guard let leaf = row.leaf, let program = programs[row.program] else {
      throw PullRefusal.unreadable(event.position, of: book.id)
    }
    try body(
      ShippedEvent(
        position: event.position, id: event.id, account: event.account, revision: event.revision,
        session: event.session, kind: Array(row.kind), version: event.version, at: event.at,
        cause: event.cause, program: 0, process: event.process, data: row.data, sealed: row.sealed,
        leaf: leaf), program)
  }
}

extension CopyRow {
  /// Whether a piece of a copy is its end: the trailer, after the header where there are no rows.
  fileprivate static func isTrailer(_ piece: UnsafeRawBufferPointer) -> Bool {
    piece.count == trailer.count
      || piece.count == header.count + trailer.count && piece.starts(with: header)
  }
}
