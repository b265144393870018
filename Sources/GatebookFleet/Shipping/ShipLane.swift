internal import Gatebook
internal import GatebookEvents

/// One of the two connections over which a shipper sends batches: while the server works on a batch
/// of one, the next batch arrives over the other.
///
/// ```
/// begin(batch) -> hand over(head) -> finish()
/// ```
struct ShipLane {
  let fleet: FleetConnection
  let book: BookID
  let branch: Int32

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

  /// Opens a transaction, and sends the events into the staging table.
  func begin(_ batch: EventBatch) throws(GatebookError) {
    try fleet.run("BEGIN")
    guard batch.count > 0 else { return }
    try fleet.talk { (postgres) throws(PostgresFailure) in
      try postgres.beginCopy(EventBatch.statement)
      try postgres.putCopy(CopyRow.header)
      try postgres.putCopy(batch.bytes)
      try postgres.putCopy(CopyRow.trailer)
      try postgres.endCopy()
    }
  }

  /// Asks the fleet to take the batch; ``finish(alsoDoing:)`` reads the answer.
  func handOver(_ batch: EventBatch, _ head: Head) throws(GatebookError) {
    try fleet.talk { (postgres) throws(PostgresFailure) in
      try postgres.send(
        """
        SELECT verdict, place FROM gatebook.accept(
          $1, $2, $3, $4, $5, $6, $7::int8multirange, $8, $9, $10)
        """,
        [
          .identity(book), .small(branch), .integer(head.size), .bytes(head.root),
          .text(head.checkpoint), .bool(head.isKept), .text(head.lostRanges),
          .bytesArray(batch.programs.map { Array($0.name.utf8) }),
          .bytesArray(batch.programs.map { Array($0.version.utf8) }),
          .identities(batch.programs.map(\.installation)),
        ])
    }
  }

  /// Waits for the answer, and commits.
  ///
  /// - Parameter more: What belongs to the same transaction; it takes how many events the fleet had
  ///   before the batch.
  /// - Throws: What the fleet refused the batch for, which it has recorded; other `fleet` failures.
  func finish(
    alsoDoing more: (Int64) throws(GatebookError) -> Void = { _ in }
  ) throws(GatebookError) {
    let rows = try fleet.talk { (postgres) throws(PostgresFailure) in try postgres.answer() }
    let verdict = rows.first?.text(0) ?? ""
    let place = rows.first?.optionalInteger(1)
    if verdict == "taken" { try more(place ?? 0) }
    // The record of a refusal is committed too.
    try fleet.run("COMMIT")
    guard verdict == "taken" else {
      throw ShipRefusal.refused(verdict, at: place, book, fleet.address)
    }
  }
}
