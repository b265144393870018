internal import Gatebook

/// Copies the rows of a part from one server to tables on another one, and compares them.
struct PartCopy {
  let part: Int32
  let source: FleetConnection
  let target: FleetConnection
  /// The tables of a part except for that of the events, which alone are copied while the part is
  /// open.
  let small: [String]

  /// Reads which tables there are.
  ///
  /// - Throws: `fleet` failures.
  init(
    of part: Int32, from source: FleetConnection, to target: FleetConnection
  ) throws(GatebookError) {
    (self.part, self.source, self.target) = (part, source, target)
    small = try target.asOwner { () throws(GatebookError) in
      try target.partitionedTables()
    }.filter { $0 != "event" }
  }

  /// A table of the part as the source and the target call it.
  private func names(_ table: String) -> (here: String, there: String) {
    (
      "gatebook_part.\(SQLText.identifier("\(table)_\(part)"))",
      "gatebook_part.\(SQLText.identifier("incoming_\(table)_\(part)"))"
    )
  }

  // MARK: Copying

  /// Copies the events that the target does not have yet, and drops those that were forgotten
  /// since they were copied.
  ///
  /// - Throws: `fleet` failures.
  func events() throws(GatebookError) {
    let (here, there) = names("event")
    let copied = try extents(of: there, on: target)
    guard !copied.isEmpty else { return try copy("event", of: "true", replacing: false) }
    let present = try extents(of: here, on: source)
    for (history, extent) in copied {
      let first = present[history]?.first ?? .max
      guard first > extent.first else { continue }
      try target.asOwner { () throws(GatebookError) in
        try target.run(
          "DELETE FROM \(there) WHERE \(history) AND position < $1", .integer(first))
      }
    }
    for (history, extent) in present.sorted(by: { $0.key < $1.key }) {
      let last = copied[history]?.last ?? 0
      guard extent.last > last else { continue }
      try copy("event", of: "\(history) AND position > \(last)", replacing: false)
    }
  }

  /// Copies all other rows.
  ///
  /// - Throws: `fleet` failures.
  func rest() throws(GatebookError) {
    for table in small { try copy(table, of: "true", replacing: true) }
  }

  /// The first and the last event of each history in a table of events, by the condition that names
  /// the history.
  private func extents(
    of table: String, on connection: FleetConnection
  ) throws(GatebookError) -> [String: (first: Int64, last: Int64)] {
    let rows = try connection.asOwner { () throws(GatebookError) in
      try connection.run(
        "SELECT book::text, branch, min(position), max(position) FROM \(table) GROUP BY 1, 2")
    }.map { row in
      (
        "book = '\(row.text(0))' AND branch = \(row.integer(1))",
        (first: row.integer(2), last: row.integer(3))
      )
    }
    return Dictionary(rows) { $1 }
  }

  /// Copies rows of a table.
  ///
  /// - Parameters:
  ///   - table: Its name without the number of the part.
  ///   - condition: Which rows.
  ///   - isReplacing: Whether rows that are on the target are deleted first.
  /// - Throws: `fleet` failures; nothing was copied then.
  private func copy(
    _ table: String, of condition: String, replacing isReplacing: Bool
  ) throws(GatebookError) {
    let (here, there) = names(table)
    try target.asOwner { () throws(GatebookError) in
      if isReplacing { try target.run("DELETE FROM \(there)") }
      try target.talk { (postgres) throws(PostgresFailure) in
        try postgres.beginCopy("COPY \(there) FROM STDIN (FORMAT binary)")
      }
      try source.asOwner { () throws(GatebookError) in
        try send("COPY (SELECT * FROM \(here) WHERE \(condition)) TO STDOUT (FORMAT binary)")
      }
      try target.talk { (postgres) throws(PostgresFailure) in try postgres.endCopy() }
    }
  }

  private func send(_ statement: String) throws(GatebookError) {
    var failed: GatebookError?
    try source.talk { (postgres) throws(PostgresFailure) in
      try postgres.copyOut(statement) { piece in
        guard failed == nil else { return }
        do throws(GatebookError) {
          try target.talk { (postgres) throws(PostgresFailure) in
            try postgres.putCopy(Array(piece))
          }
        } catch {
          failed = error
        }
      }
    }
    if let failed { throw failed }
  }

  // MARK: Comparing

  /// Compares the copy with the part, by the number of rows and a hash of all.
  ///
  /// - Throws: `fleet.mismatch` if they differ; `fleet` failures.
  func compare() throws(GatebookError) {
    for table in ["event"] + small {
      let (here, there) = names(table)
      guard try digest(of: here, on: source) == digest(of: there, on: target) else {
        throw GatebookError(
          .fleetMismatch, "The copy of part \(part) differs from the part, in the table \(table).",
          kept: "The part stays where it was, and takes events again.",
          remedy: "Check both servers, then move the part again.")
      }
    }
  }

  private func digest(
    of table: String, on connection: FleetConnection
  ) throws(GatebookError) -> [Int64] {
    try connection.asOwner { () throws(GatebookError) in
      // The text of a time or of bytes depends on these settings, and servers can differ in them.
      try connection.run(
        """
        SELECT set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true),
          set_config('bytea_output', 'hex', true)
        """)
      let row = try connection.run(
        "SELECT count(*), coalesce(sum(hashtext(t::text)), 0)::bigint FROM \(table) t"
      ).first
      return [row?.integer(0) ?? 0, row?.integer(1) ?? 0]
    }
  }
}
