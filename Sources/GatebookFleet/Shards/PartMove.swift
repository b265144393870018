internal import Gatebook

/// Moves one part of a fleet from one server to another while shippers continue.
///
/// ```
/// open here -> copy the events -> closed -> copy the rest, compare -> open there -> dropped here
/// ```
///
/// Each arrow is a commit. A move that was killed is done again, or ended if the part is open there
/// already. While the part is closed the shippers of its books wait: that is for the rest of the
/// copy.
struct PartMove {
  /// A server that takes part: the coordinator itself has no name.
  struct Place {
    let name: String?
    let connection: FleetConnection
  }

  let part: Int32
  /// Knows where parts lie; may be the source or the target too.
  let coordinator: FleetConnection
  let source: Place
  let target: Place
  /// Called with what is being done.
  let progress: (String) -> Void

  /// The tables of a part except for that of the events, which alone are copied while the part is
  /// open.
  private static let small = [
    "branch", "program", "checkpoint", "past", "state", "tally", "total", "pseudonym", "erased",
    "notice",
  ]
  /// The first key of the advisory locks of parts, as in the function `holds_open`.
  private static let lock = 1_195_463_763

  /// Moves it.
  ///
  /// - Throws: `fleet` failures; `fleet.mismatch` if the copy differs: the part then stays where it
  ///   was.
  func run() throws(GatebookError) {
    if try !isOpenThere {
      try prepare()
      progress("copying events")
      try copyEvents()
      progress("closing the part")
      try close()
      progress("copying the rest")
      try copyEvents()
      for table in Self.small { try copy("\(table)_\(part)", of: "true", replacing: true) }
      try compare()
      try openThere()
    }
    progress("switching")
    try switchOver()
    try leave()
  }

  // MARK: Preparing

  /// Whether an interrupted move has opened the part on the target already.
  private var isOpenThere: Bool {
    get throws(GatebookError) {
      guard target.name != nil else { return false }
      return try target.connection.run(
        "SELECT 1 FROM gatebook.part WHERE number = $1 AND server IS NULL", .small(part)
      ).count > 0
    }
  }

  private func prepare() throws(GatebookError) {
    try target.connection.asOwner { () throws(GatebookError) in
      try target.connection.run("SELECT gatebook.make_tables($1)", .small(part))
    }
    try coordinator.run(
      "UPDATE gatebook.part SET target = $2 WHERE number = $1", .small(part), .text(target.name))
  }

  /// Closes the part for all shippers, and waits for those who are writing.
  private func close() throws(GatebookError) {
    var servers = [coordinator]
    if source.name != nil { servers.append(source.connection) }
    for server in servers {
      try server.inTransaction { () throws(GatebookError) in
        try server.run(
          "SELECT pg_advisory_xact_lock($1, $2)", .small(Int32(Self.lock)), .small(part))
        try server.run(
          "UPDATE gatebook.part SET state = 'closed' WHERE number = $1", .small(part))
      }
    }
  }

  // MARK: Copying

  /// Copies the events that the target does not have yet, and drops those that were forgotten
  /// since they were copied.
  private func copyEvents() throws(GatebookError) {
    let table = "event_\(part)"
    let copied = try extents(of: "incoming_\(table)", on: target.connection)
    guard !copied.isEmpty else { return try copy(table, of: "true", replacing: false) }
    let present = try extents(of: table, on: source.connection)
    for (history, extent) in copied {
      let first = present[history]?.first ?? .max
      guard first > extent.first else { continue }
      try target.connection.asOwner { () throws(GatebookError) in
        try target.connection.run(
          "DELETE FROM gatebook_part.incoming_\(table) WHERE \(history) AND position < $1",
          .integer(first))
      }
    }
    for (history, extent) in present.sorted(by: { $0.key < $1.key }) {
      let last = copied[history]?.last ?? 0
      guard extent.last > last else { continue }
      try copy(table, of: "\(history) AND position > \(last)", replacing: false)
    }
  }

  /// The first and the last event of each history in a table of events, by the condition that names
  /// the history.
  private func extents(
    of table: String, on connection: FleetConnection
  ) throws(GatebookError) -> [String: (first: Int64, last: Int64)] {
    let rows = try connection.run(
      """
      SELECT book::text, branch, min(position), max(position) FROM gatebook_part.\(table)
      GROUP BY 1, 2
      """
    ).map { row in
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
  ///   - table: Its name on the source.
  ///   - condition: Which rows.
  ///   - isReplacing: Whether rows that are on the target are deleted first.
  /// - Throws: `fleet` failures; nothing was copied then.
  private func copy(
    _ table: String, of condition: String, replacing isReplacing: Bool
  ) throws(GatebookError) {
    let incoming = "gatebook_part.incoming_\(table)"
    try target.connection.asOwner { () throws(GatebookError) in
      let receiver = target.connection
      if isReplacing { try receiver.run("DELETE FROM \(incoming)") }
      try receiver.talk { (postgres) throws(PostgresFailure) in
        try postgres.beginCopy("COPY \(incoming) FROM STDIN (FORMAT binary)")
      }
      var failed: GatebookError?
      try source.connection.talk { (postgres) throws(PostgresFailure) in
        try postgres.copyOut(
          "COPY (SELECT * FROM gatebook_part.\(table) WHERE \(condition)) TO STDOUT (FORMAT binary)"
        ) { piece in
          guard failed == nil else { return }
          do throws(GatebookError) {
            try receiver.talk { (postgres) throws(PostgresFailure) in
              try postgres.putCopy(Array(piece))
            }
          } catch {
            failed = error
          }
        }
      }
      if let failed { throw failed }
      try receiver.talk { (postgres) throws(PostgresFailure) in try postgres.endCopy() }
    }
  }

  /// Compares the copy with the part, by counts and heads.
  private func compare() throws(GatebookError) {
    for table in ["event"] + Self.small {
      let question =
        "SELECT count(*), coalesce(sum(hashtext(t::text)), 0)::bigint FROM gatebook_part."
      let here = try source.connection.run("\(question)\(table)_\(part) t").first
      let there = try target.connection.run("\(question)incoming_\(table)_\(part) t").first
      guard here?.integer(0) == there?.integer(0), here?.integer(1) == there?.integer(1) else {
        try reopen()
        throw GatebookError(
          .fleetMismatch, "The copy of part \(part) differs from the part, in the table \(table).",
          kept: "The part stays where it was, and takes events again.",
          remedy: "Check both servers, then move the part again.")
      }
    }
  }

  private func reopen() throws(GatebookError) {
    let servers = source.name == nil ? [coordinator] : [source.connection, coordinator]
    for server in servers {
      try server.run(
        "UPDATE gatebook.part SET state = 'open', target = NULL WHERE number = $1", .small(part))
    }
  }

  // MARK: Switching

  private func openThere() throws(GatebookError) {
    // The coordinator's own part is attached in the transaction that switches.
    guard target.name != nil else { return }
    try target.connection.asOwner { () throws(GatebookError) in
      try target.connection.run("SELECT gatebook.attach_part($1)", .small(part))
      try target.connection.run("INSERT INTO gatebook.part (number) VALUES ($1)", .small(part))
    }
  }

  private func switchOver() throws(GatebookError) {
    try coordinator.asOwner { () throws(GatebookError) in
      try coordinator.run("SELECT gatebook.drop_part($1)", .small(part))
      if let name = target.name {
        try coordinator.run("SELECT gatebook.make_foreign_part($1, $2)", .small(part), .text(name))
      } else {
        try coordinator.run("SELECT gatebook.attach_part($1)", .small(part))
      }
      try coordinator.run(
        """
        UPDATE gatebook.part SET server = $2, state = 'open', target = NULL WHERE number = $1
        """, .small(part), .text(target.name))
    }
  }

  /// Drops what the source has left: no shipper writes there since the part was closed.
  private func leave() throws(GatebookError) {
    guard source.name != nil else { return }
    try source.connection.asOwner { () throws(GatebookError) in
      try source.connection.run("SELECT gatebook.drop_part($1)", .small(part))
      try source.connection.run(
        "DELETE FROM gatebook.part WHERE number = $1 AND server IS NULL", .small(part))
    }
  }
}
