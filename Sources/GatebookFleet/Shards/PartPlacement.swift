internal import Gatebook

/// Tells a coordinator where the parts of its fleet are: those that its servers have, and new ones
/// for numbers that no server has.
struct PartPlacement {
  let coordinator: FleetConnection
  /// The servers of the fleet, with their names.
  let servers: [PartPlace]

  /// A server that has a part.
  private struct Holder {
    let server: PartPlace
    let state: String

    var shown: String { "\(server.connection.address.place) (\(server.shown), \(state))" }
  }

  /// Places all parts that the coordinator does not know yet.
  ///
  /// - Throws: `fleet.mismatch` if two servers have the same part: nothing was placed then; `fleet`
  ///   failures.
  func run() throws(GatebookError) {
    let placed = Set(try FleetServer.list(coordinator).flatMap(\.parts))
    let missing = (0..<FleetSchema.parts).filter { !placed.contains($0) }
    guard !missing.isEmpty, !servers.isEmpty else { return }
    let holders = try holders()
    for number in missing {
      guard let both = holders[number], both.count > 1 else { continue }
      throw Self.isDouble(number, both)
    }
    for number in missing {
      let server = servers[number % servers.count]
      try place(Int32(number), holders[number]?.first, otherwiseOn: server)
    }
  }

  private func holders() throws(GatebookError) -> [Int: [Holder]] {
    var holders: [Int: [Holder]] = [:]
    for server in servers {
      let parts = try server.connection.asOwner { () throws(GatebookError) in
        try server.connection.run("SELECT number, state FROM gatebook.part WHERE server IS NULL")
      }.map { (number: Int($0.integer(0)), state: $0.text(1)) }
      for part in parts {
        holders[part.number, default: []].append(Holder(server: server, state: part.state))
      }
    }
    return holders
  }

  private func place(
    _ part: Int32, _ holder: Holder?, otherwiseOn fresh: PartPlace
  ) throws(GatebookError) {
    let server = holder?.server ?? fresh
    if holder == nil {
      try server.connection.asOwner { () throws(GatebookError) in
        try server.connection.run("SELECT gatebook.make_part($1)", .small(part))
      }
    } else if holder?.state == "closed" {
      // A move closed it that did not end with the coordinator of that time.
      try server.open(part)
    }
    try coordinator.asOwner { () throws(GatebookError) in
      try coordinator.run(
        "SELECT gatebook.make_foreign_part($1, $2)", .small(part), .text(server.name))
      try coordinator.run(
        "INSERT INTO gatebook.part (number, server) VALUES ($1, $2)", .small(part),
        .text(server.name))
    }
  }

  private static func isDouble(_ part: Int, _ holders: [Holder]) -> GatebookError {
    let closed = holders.filter { $0.state == "closed" }
    let place: String
    let reason: String
    if closed.count == holders.count - 1, let older = closed.first {
      place = older.server.connection.address.place
      reason = "The closed one is the older copy."
    } else {
      place = "PLACE"
      reason =
        "`SELECT sum(size) FROM gatebook_part.branch_\(part)` shows how many events each has. The "
        + "one with fewer is the older copy."
    }
    let drop =
      "psql postgresql://\(place) -c \"SET ROLE gatebook_owner; SELECT gatebook.drop_part(\(part)); "
      + "DELETE FROM gatebook.part WHERE number = \(part)\""
    return GatebookError(
      .fleetMismatch,
      "Part \(part) is on more than one server, because a move was interrupted: "
        + holders.map(\.shown).joined(separator: " and ") + ".",
      kept: "Both copies were kept, and no part was placed.",
      remedy: "\(reason) Drop it there as a superuser, then run this command again: `\(drop)`.")
  }
}
