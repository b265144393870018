internal import Gatebook
internal import GatebookStore

/// The present of a book on its way to a fleet: the states of its accounts and sessions, of which
/// only those are sent that the fleet does not have yet.
struct PresentShipment {
  private let reader: BookReader
  /// The rows that the fleet has, by part and name.
  private var sent: [String: [[UInt8]: [UInt8]]] = [:]

  /// The rows at a head, and the version of the folds that made them.
  typealias Rows = (rows: [ShippedRow], folds: Int64)

  /// Begins with a fleet that has none of them.
  init(_ reader: BookReader) { self.reader = reader }

  /// Sends all rows the next time.
  mutating func forget() { sent = [:] }

  /// The rows at a head.
  ///
  /// - Returns: `nil` if the book has more events by now: then they belong to another head.
  /// - Throws: `storage` failures.
  func rows(at size: Int64) throws(GatebookError) -> Rows? {
    try reader.inSnapshot { () throws(GatebookError) in
      try reader.head().size == size ? try reader.presentRows() : nil
    }
  }

  /// Sends the rows that the fleet does not have yet, in the transaction that is open.
  mutating func put(
    _ present: Rows, at size: Int64, branch: Int32, _ machine: String?, _ fleet: FleetConnection
  ) throws(GatebookError) {
    let rows = present.rows.filter { sent[$0.part]?[$0.name] != $0.content }
    let answer = try fleet.run(
      "SELECT gatebook.put_state($1, $2, $3, $4, $5, $6, $7, $8)", .identity(reader.id),
      .small(branch), .integer(size), .integer(present.folds), .text(machine),
      .texts(rows.map(\.part)), .bytesArray(rows.map(\.name)), .texts(bytes: rows.map(\.content)))
    // Where the transaction fails after this, all of them are sent again.
    guard answer.first?.bool(0) == true else { return forget() }
    for row in rows { sent[row.part, default: [:]][row.name] = row.content }
  }
}
