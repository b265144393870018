internal import Gatebook
internal import GatebookEvents

/// A batch of events on its way, over one of the two connections of a shipper.
///
/// While the server works on one batch, the next one arrives over the other connection.
///
/// The server puts a batch into the book at once, and counts it after the batch ahead of it.
struct ShipLane {
  private let fleet: FleetConnection
  private let book: BookID
  private let branch: Int32
  /// The programs of its events.
  let programs: [Program]
  private let head: Head
  private let isPrepared: Bool

  /// The head after a batch, and what the accepting function must know of it.
  struct Head {
    let size: Int64
    /// The root over so many events; `nil` among events that a recovery kept.
    let root: [UInt8]?
    /// The signed checkpoint of the head; `nil` without the book's key.
    let checkpoint: String?
    /// Whether the fleet keeps the head for good.
    let isKept: Bool
    /// The positions of the batch whose events are lost.
    let lost: [ClosedRange<Int64>]

    /// The lost positions in the words of PostgreSQL's multiranges.
    fileprivate var lostRanges: String {
      "{" + lost.map { "[\($0.lowerBound),\($0.upperBound)]" }.joined(separator: ",") + "}"
    }
  }

  /// Opens a transaction, sends the events into the staging table, and lets the server put them
  /// into the book.
  ///
  /// - Parameters:
  ///   - batch: The events.
  ///   - position: The last event before them.
  ///   - head: The head after them.
  ///   - book: The book.
  ///   - branch: The history that they continue.
  ///   - prepares: Whether the server begins before the batch ahead of this one is counted.
  ///   - fleet: The connection, which has no transaction.
  /// - Throws: `fleet` failures.
  init(
    _ batch: EventBatch, after position: Int64, _ head: Head, of book: BookID, branch: Int32,
    prepares: Bool, over fleet: FleetConnection
  ) throws(GatebookError) {
    self.fleet = fleet
    self.book = book
    self.branch = branch
    self.head = head
    programs = batch.programs
    isPrepared = prepares && batch.count > 0
    try fleet.run("BEGIN")
    guard batch.count > 0 else { return }
    try fleet.talk { (postgres) throws(PostgresFailure) in
      try postgres.beginCopy(EventBatch.statement)
      try postgres.putCopy(CopyRow.header)
      try postgres.putCopy(batch.bytes)
      try postgres.putCopy(CopyRow.trailer)
      try postgres.endCopy()
      guard isPrepared else { return }
      try postgres.send(
        "SELECT gatebook.prepare($1, $2, $3, $4, $5, $6, $7)",
        [.identity(book), .small(branch), .integer(position), .integer(head.size)] + described)
    }
  }

  /// The programs as the functions take them.
  private var described: [PostgresValue] {
    [
      .bytesArray(programs.map { Array($0.name.utf8) }),
      .bytesArray(programs.map { Array($0.version.utf8) }),
      .identities(programs.map(\.installation)),
    ]
  }

  /// Lets the fleet take the batch, and commits.
  ///
  /// - Parameter more: What belongs to the same transaction; it takes how many events the fleet had
  ///   before the batch.
  /// - Returns: Whether the fleet took it; if not, it has to be sent unprepared, and nothing of it
  ///   is there.
  /// - Throws: What the fleet refused the batch for, which it has recorded; other `fleet` failures.
  func finish(
    alsoDoing more: (Int64) throws(GatebookError) -> Void = { _ in }
  ) throws(GatebookError) -> Bool {
    let rows = try fleet.talk { (postgres) throws(PostgresFailure) -> PostgresRows? in
      if isPrepared {
        // Another connection of this shipper may have a prepared batch: what waits for it would
        // wait for ever.
        guard try postgres.answer().first?.bool(0) == true else { return nil }
      }
      try postgres.send(
        """
        SELECT verdict, place FROM gatebook.accept(
          $1, $2, $3, $4, $5, $6, $7::int8multirange, $8, $9, $10)
        """,
        [
          .identity(book), .small(branch), .integer(head.size), .bytes(head.root),
          .text(head.checkpoint), .bool(head.isKept), .text(head.lostRanges),
        ] + described)
      return try postgres.answer()
    }
    let verdict = rows == nil ? "repeat" : rows?.first?.text(0) ?? ""
    let place = rows?.first?.optionalInteger(1)
    guard verdict != "repeat" else {
      try fleet.run("ROLLBACK")
      return false
    }
    if verdict == "taken" { try more(place ?? 0) }
    // The record of a refusal is committed too.
    try fleet.run("COMMIT")
    guard verdict == "taken" else {
      throw ShipRefusal.refused(verdict, at: place, book, fleet.address)
    }
    return true
  }

  /// Takes the batch back.
  func abandon() throws(GatebookError) {
    if isPrepared {
      _ = try fleet.talk { (postgres) throws(PostgresFailure) in try postgres.answer() }
    }
    try fleet.run("ROLLBACK")
  }
}
