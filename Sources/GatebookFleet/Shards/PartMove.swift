internal import Gatebook

/// Moves one part of a fleet from one server to another while shippers continue.
///
/// ```
/// open here -> copy the events -> closed -> copy the rest, compare -> open there -> dropped here
/// ```
///
/// Each arrow is a commit. A move that was killed is done again, or ended if it has opened the part
/// on the target. While the part is closed the shippers of its books wait: that is for the rest of
/// the copy.
struct PartMove {
  let part: Int32
  /// Held for the whole move.
  let ticket: MoveLock.Ticket
  /// Knows where parts lie; may be the source or the target too.
  let coordinator: FleetConnection
  let source: PartPlace
  let target: PartPlace
  /// Called with what is being done.
  let progress: (String) -> Void

  /// The first key of the advisory locks of parts, as in the function `holds_open`.
  private static let lock = 1_195_463_763

  // MARK: Preparing

  /// Checks that the source has the part as the coordinator says.
  ///
  /// - Parameter entry: What the coordinator says.
  /// - Throws: `fleet.mismatch` if it has not: the coordinator may be one of an old backup.
  func checkSource(_ entry: PartEntry) throws(GatebookError) {
    let state = try source.state(of: part)
    guard state == nil || (state == "closed" && !entry.isClosed) else { return }
    throw GatebookError(
      .fleetMismatch,
      "The coordinator says that part \(part) is on \(source.shown) and takes events, and "
        + "\(source.shown) \(state == nil ? "does not have it" : "has closed it").",
      remedy: "If the coordinator was restored from a backup, make a new one from its servers: "
        + "`gatebook fleet init URL --shards URL,URL` with an empty database.")
  }

  /// Whether an interrupted move to this target has opened the part there already.
  func isOpenThere(_ entry: PartEntry) throws(GatebookError) -> Bool {
    guard entry.isClosed, let name = target.name, entry.target == name else { return false }
    return try target.state(of: part) == "open"
  }

  /// Makes tables on the target.
  ///
  /// What an earlier move has left there is dropped, because the source has all events.
  ///
  /// - Parameter entry: What the coordinator says.
  /// - Throws: `fleet` failures.
  func prepare(_ entry: PartEntry) throws(GatebookError) {
    if entry.isClosed {
      if source.name != nil { try source.open(part) }
      try PartEntry.open(part, coordinator)
    }
    if target.name != nil, try target.hasLeftover(of: part) {
      progress("removing an older copy")
      try target.drop(part) { progress("waiting for questions") }
    }
    try target.connection.asOwner { () throws(GatebookError) in
      try target.connection.run("SELECT gatebook.make_tables($1)", .small(part))
    }
    try coordinator.asOwner { () throws(GatebookError) in
      try ticket.check(coordinator)
      try coordinator.run(
        "UPDATE gatebook.part SET target = $2 WHERE number = $1", .small(part), .text(target.name))
    }
  }

  /// Copies the part, and closes it before the last of its rows.
  ///
  /// - Throws: `fleet` failures; `fleet.mismatch` if the copy differs. The part may then be closed.
  func copy() throws(GatebookError) {
    let copy = try PartCopy(of: part, from: source.connection, to: target.connection)
    progress("copying events")
    try copy.events()
    if try awaitQuestions() { try copy.events() }
    progress("closing the part")
    try close()
    progress("copying the rest")
    try copy.events()
    try copy.rest()
    try copy.compare()
  }

  /// Waits for long questions while the part is open, because ``switchOver()`` would wait for them
  /// while it is closed.
  ///
  /// - Returns: Whether there were some.
  private func awaitQuestions() throws(GatebookError) -> Bool {
    var hasWaited = false
    try coordinator.lockingTables(
      waiting: {
        hasWaited = true
        progress("waiting for questions")
      }, running: {})
    return hasWaited
  }

  /// Closes the part for all shippers, and waits for those who are writing.
  private func close() throws(GatebookError) {
    var servers = [coordinator]
    if source.name != nil { servers.append(source.connection) }
    for server in servers {
      try server.patiently(
        waiting: { progress("waiting for shippers") },
        running: { () throws(GatebookError) in
          try server.run("SELECT pg_advisory_xact_lock(\(Self.lock), $1)", .small(part))
          if server === coordinator { try ticket.check(coordinator) }
          try server.run(
            "UPDATE gatebook.part SET state = 'closed' WHERE number = $1", .small(part))
        })
    }
  }

  // MARK: Switching

  /// Opens the part on the target.
  ///
  /// Shippers come there only after ``switchOver()``.
  ///
  /// - Throws: `fleet` failures.
  func openThere() throws(GatebookError) {
    // The coordinator's own part is attached in the transaction that switches.
    guard target.name != nil else { return }
    try target.connection.asOwner { () throws(GatebookError) in
      try ticket.check(coordinator)
      try target.connection.run("SELECT gatebook.attach_part($1)", .small(part))
      try target.connection.run("INSERT INTO gatebook.part (number) VALUES ($1)", .small(part))
    }
  }

  /// Sends everybody to the target.
  ///
  /// - Throws: `fleet` failures.
  func switchOver() throws(GatebookError) {
    progress("switching")
    try coordinator.lockingTables(
      waiting: { progress("waiting for questions") },
      running: { () throws(GatebookError) in
        try ticket.check(coordinator)
        try coordinator.run("SELECT gatebook.drop_part($1)", .small(part))
        if let name = target.name {
          try coordinator.run(
            "SELECT gatebook.make_foreign_part($1, $2)", .small(part), .text(name))
        } else {
          try coordinator.run("SELECT gatebook.attach_part($1)", .small(part))
        }
        try coordinator.run(
          """
          UPDATE gatebook.part SET server = $2, state = 'open', target = NULL WHERE number = $1
          """, .small(part), .text(target.name))
      })
  }

  /// Drops what the source has left: no shipper writes there since the part was closed.
  ///
  /// - Throws: `fleet` failures; `fleet.mismatch` if somebody has opened the part there again.
  func leave() throws(GatebookError) {
    guard source.name != nil, let state = try source.state(of: part) else { return }
    guard state == "closed" else {
      throw GatebookError(
        .fleetMismatch,
        "Part \(part) has moved to \(target.shown), and somebody has opened it again on "
          + "\(source.shown).",
        kept: "Both copies were kept.",
        remedy: "Find out whether shippers have sent events to \(source.shown) since then.")
    }
    try source.drop(part) { progress("waiting for questions") }
  }
}
