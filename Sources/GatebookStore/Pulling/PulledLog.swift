internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookMigrations

/// Writes the log of a pulled book into an empty file, and makes of it what a book holds beside its
/// log.
final class PulledLog {
  let connection: Connection
  let book: BookID
  private let names: PulledNames
  private var expected: Int64
  private var lost: ArraySlice<ClosedRange<Int64>>
  private let floor: Int64
  private let forgotten: Int64
  private(set) var frontier: Frontier
  private let hash = SHA256()
  private var checkpointKey: [UInt8]?
  private var insertEvent = KeptStatement(PulledLog.insertion(into: "event"))

  private static func insertion(into table: String) -> String {
    let values = (1...14).map { "?\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(table) (\(EventLeaves.columns)) VALUES (\(values))"
  }

  /// Begins a log.
  ///
  /// - Parameters:
  ///   - connection: The empty file.
  ///   - book: The book.
  ///   - past: What it begins with; `nil` for a book that has all of its past.
  ///   - lost: The positions whose events a recovery did not find, in order.
  /// - Throws: `storage` failures.
  init(
    _ connection: Connection, of book: BookID, _ past: PulledPast?, lost: [ClosedRange<Int64>]
  ) throws(GatebookError) {
    self.connection = connection
    self.book = book
    names = PulledNames(connection)
    expected = past?.first ?? 1
    floor = past?.floor ?? 0
    forgotten = past?.forgotten ?? 0
    checkpointKey = past?.checkpointKey
    frontier = past?.baseline.frontier ?? Frontier()
    self.lost = lost[...]
    // A file that is not finished is removed: nothing has to be undone.
    try connection.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
    connection.heedCancellation()
    try connection.execute("BEGIN")
    try connection.apply(migrations[...])
    try connection.execute("PRAGMA application_id = \(BookOpening.applicationID)")
    for range in lost { try LostEvents(connection).add(range) }
    if let past { try take(past) }
  }

  private func take(_ past: PulledPast) throws(GatebookError) {
    // Readers list accounts in the order of their numbers.
    for account in past.accounts { _ = try names.account(account) }
    try names.take(past.state)
    for row in past.state {
      try connection.run(
        "INSERT INTO opening_row VALUES (?1, ?2, ?3)", row.part, row.name, UTF8Text(row.state))
    }
    try past.baseline.write(connection)
    for run in past.subtrees { try run.write(connection) }
    for (leaf, event) in past.events {
      try connection.run(
        Self.insertion(into: "opening_event"), event.position, event.id,
        try names.account(event.account), event.revision, try names.session(event.session),
        try names.kind(Array(event.kind.utf8)), Int64(event.version), event.at, event.cause,
        try names.program(event.program), event.process, UTF8Text(Array(event.data)),
        event.sealed.map { Array($0) }, leaf)
    }
  }

  /// Adds the next event.
  func take(_ event: ShippedEvent, by program: Program) throws(GatebookError) {
    try passLost()
    guard event.position == expected else { throw PullRefusal.missing(expected, of: book) }
    expected += 1
    do throws(GatebookError) {
      try insert(event, program)
    } catch {
      guard error.code == .storageDamaged else { throw error }
      throw PullRefusal.unreadable(event.position, of: book, cause: error.cause)
    }
    guard event.position > floor else { return }
    if event.position == floor + 1, checkpointKey == nil {
      checkpointKey = FactScanner(event.data).text("checkpointKey").flatMap { Hex.decode($0) }
    }
    var completed: [Frontier.Subtree] = []
    frontier.append(event.leaf, hash) { completed.append($0) }
    for subtree in completed {
      try connection.run(
        "INSERT INTO subtree VALUES (?1, ?2, ?3)", subtree.level, subtree.number,
        subtree.root.bytes)
    }
  }

  private func insert(_ event: ShippedEvent, _ program: Program) throws(GatebookError) {
    let account = try names.account(event.account)
    let session = try names.session(event.session)
    let (kind, writer) = (try names.kind(event.kind), try names.program(program))
    let statement = try insertEvent.on(connection)
    statement.bind(1, event.position)
    statement.bind(2, event.id)
    statement.bind(3, account)
    statement.bind(4, event.revision)
    statement.bind(5, session)
    statement.bind(6, kind)
    statement.bind(7, event.version)
    statement.bind(8, event.at)
    statement.bind(9, event.cause)
    statement.bind(10, writer)
    statement.bind(11, event.process)
    statement.bind(12, lentText: event.data)
    if let sealed = event.sealed {
      statement.bind(13, lent: sealed)
    } else {
      statement.bindNull(13)
    }
    try event.leaf.withUnsafeBytes { (leaf) throws(GatebookError) in
      statement.bind(14, lent: leaf)
      try statement.run()
    }
  }

  /// Steps over lost positions.
  private func passLost() throws(GatebookError) {
    while let range = lost.first, range.lowerBound <= expected {
      expected = max(expected, range.upperBound + 1)
      lost.removeFirst()
    }
  }

  /// Demands that all events were added.
  ///
  /// - Throws: `fleet.mismatch` for a missing one.
  func end(at size: Int64) throws(GatebookError) {
    try passLost()
    guard expected == size + 1 else { throw PullRefusal.missing(expected, of: book) }
  }

  /// Makes the rest of the book: its identity, its head, the present and the indexes.
  ///
  /// - Parameters:
  ///   - size: How many events there must be.
  ///   - branch: Which history it is.
  /// - Throws: `fleet.mismatch` for missing events; `storage` failures; `cancelled`.
  func finish(size: Int64, branch: Int64) throws(GatebookError) {
    try end(at: size)
    guard let checkpointKey, checkpointKey.count == 32 else {
      throw PullRefusal.unreadable(floor + 1, of: book, cause: "It names no checkpoint key.")
    }
    try connection.run(
      "INSERT INTO book VALUES (1, ?1, ?2, ?3, ?4, ?5)", book, PulledMark.keySource,
      UTF8Text(PulledMark.keyDescription(forgotten: forgotten)), [UInt8](repeating: 0, count: 16),
      checkpointKey)
    try LogHead.write(connection, frontier, frontier.root(hash))
    do throws(GatebookError) {
      var log = try FoldedLog(connection, of: nil)
      try log.foldRest(replacingPastOf: connection)
      try names.replaceProjections(by: log.fold)
    } catch {
      guard error.code == .storageDamaged else { throw error }
      throw PullRefusal.damaged(error.message, of: book)
    }
    try PulledMark.set(connection, branch: branch)
    try connection.execute("COMMIT")
  }
}
