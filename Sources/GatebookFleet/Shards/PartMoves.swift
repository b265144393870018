internal import Gatebook
internal import GatebookSystem

/// Moves parts of a fleet, each under a lock of its own.
struct PartMoves {
  /// The coordinator.
  let access: FleetAccess
  let coordinator: FleetConnection
  let servers: [FleetServer]
  /// How to reach the other servers, by their places.
  let accesses: [String: FleetAccess]

  /// Moves a part.
  ///
  /// - Parameters:
  ///   - part: Its number.
  ///   - target: Where to.
  ///   - progress: Called with what is being done.
  /// - Returns: Whether it had to move.
  /// - Throws: `fleet` failures. After each failure the part is open where it was, or the same call
  ///   ends the move.
  func move(
    _ part: Int32, to target: PartPlace, progress: @escaping (String) -> Void
  ) async throws(GatebookError) -> Bool {
    let lock = try MoveLock(part, at: access)
    defer { lock.end() }
    let entry = try PartEntry(part, coordinator)
    guard entry.server != target.name else { return false }
    let source = try place(entry.server)
    let move = PartMove(
      part: part, ticket: lock.ticket, coordinator: coordinator, source: source, target: target,
      progress: progress)
    try move.checkSource(entry)
    try leaveOtherTarget(part, entry, target)
    if try !move.isOpenThere(entry) {
      try move.prepare(entry)
      do throws(GatebookError) {
        try move.copy()
      } catch {
        await reopen(lock.ticket, on: entry.server)
        throw error
      }
      try move.openThere()
    }
    try move.switchOver()
    try move.leave()
    return true
  }

  /// Ends an interrupted move to another target, or refuses if it has opened the part there.
  private func leaveOtherTarget(
    _ part: Int32, _ entry: PartEntry, _ target: PartPlace
  ) throws(GatebookError) {
    guard let name = entry.target, name != target.name else { return }
    let other = try place(name)
    let state = try other.state(of: part)
    guard !entry.isClosed || state != "open" else {
      throw GatebookError(
        .configurationInvalid,
        "Part \(part) is open on \(name) already, because a move to \(name) was interrupted.",
        remedy: "End that move first: "
          + "`gatebook fleet shards move --server \(name) --part \(part)`.")
    }
    try other.dropIncoming(part)
  }

  /// Opens a part again where it lies.
  ///
  /// It uses new connections in a task of its own, because the failure may have broken the others,
  /// or the task was cancelled. If it fails too, the next move opens the part.
  private func reopen(_ ticket: MoveLock.Ticket, on server: String?) async {
    let (coordinator, source) = (access, server.flatMap { access(of: $0) })
    await Task {
      await withTaskExecutorPreference(ThreadExecutor()) {
        _ = try? Self.reopen(ticket, coordinator, server, source)
      }
    }.value
  }

  private static func reopen(
    _ ticket: MoveLock.Ticket, _ access: FleetAccess, _ server: String?, _ source: FleetAccess?
  ) throws(GatebookError) {
    let coordinator = try FleetConnection.open(access)
    try ticket.check(coordinator)
    // The source first: while the coordinator says open, it must be.
    if let source {
      let connection = try FleetConnection.open(source)
      try PartPlace(name: server, connection: connection).open(ticket.part)
    }
    try PartEntry.open(ticket.part, coordinator)
  }

  /// Drops what moves that were killed have left on servers that parts have moved away from.
  ///
  /// - Throws: `fleet` failures.
  func removeLeftovers() throws(GatebookError) {
    for server in try FleetServer.list(coordinator) {
      // A server that does not answer keeps them until the next time.
      guard let name = server.name, let place = try? place(name) else { continue }
      let held = try place.connection.asOwner { () throws(GatebookError) in
        try place.connection.run("SELECT number FROM gatebook.part WHERE server IS NULL")
      }.map { Int32($0.integer(0)) }
      for part in held where !server.parts.contains(Int(part)) {
        try removeLeftover(part, on: place)
      }
    }
  }

  private func removeLeftover(_ part: Int32, on place: PartPlace) throws(GatebookError) {
    guard let lock = try? MoveLock(part, at: access) else { return }
    defer { lock.end() }
    let entry = try PartEntry(part, coordinator)
    guard entry.server != place.name, entry.target != place.name,
      let owner = try? self.place(entry.server), try owner.state(of: part) == "open"
    else { return }
    try place.drop(part) {}
  }

  /// A server that takes part.
  ///
  /// - Parameter name: Its name; `nil` for the coordinator.
  /// - Returns: The server, connected.
  /// - Throws: `configuration.invalid` if nothing says how to reach it; `fleet` failures.
  func place(_ name: String?) throws(GatebookError) -> PartPlace {
    guard let name else { return PartPlace(name: nil, connection: coordinator) }
    guard let access = access(of: name) else {
      let place = servers.first { $0.name == name }?.place ?? "an unknown place"
      throw GatebookError(
        .configurationInvalid, "Nothing says how to reach the server \(name) at \(place).",
        remedy: "`FleetShards.servers()` lists servers and parts.")
    }
    let connection = try FleetConnection.open(access)
    connection.postgres.patience = FleetConnection.movePatience
    return PartPlace(name: name, connection: connection)
  }

  private func access(of name: String) -> FleetAccess? {
    servers.first { $0.name == name }?.place.flatMap { accesses[$0] }
  }
}
