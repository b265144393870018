internal import Gatebook

/// What the coordinator says of a part.
struct PartEntry {
  /// The server that it lies on; `nil` for the coordinator itself.
  let server: String?
  /// Whether it takes no events: it moves, or a move was killed.
  let isClosed: Bool
  /// Where it moves to; `nil` for nowhere, and for the coordinator itself.
  let target: String?

  /// Reads it.
  ///
  /// - Parameters:
  ///   - part: The number of the part.
  ///   - coordinator: A connection to the coordinator.
  /// - Throws: `fleet.mismatch` if the coordinator does not know the part; `fleet` failures.
  init(_ part: Int32, _ coordinator: FleetConnection) throws(GatebookError) {
    let rows = try coordinator.asOwner { () throws(GatebookError) in
      try coordinator.run(
        "SELECT server, state, target FROM gatebook.part WHERE number = $1", .small(part))
    }
    guard let row = rows.first else {
      throw GatebookError(
        .fleetMismatch, "The coordinator does not know where part \(part) is.",
        remedy: "Run `gatebook fleet init URL --shards URL,URL` again with all servers.")
    }
    server = row.optionalText(0)
    isClosed = row.text(1) == "closed"
    target = row.optionalText(2)
  }

  /// Opens a part for those who ask the coordinator, where it lies.
  ///
  /// - Throws: `fleet` failures.
  static func open(_ part: Int32, _ coordinator: FleetConnection) throws(GatebookError) {
    try coordinator.asOwner { () throws(GatebookError) in
      try coordinator.run(
        "UPDATE gatebook.part SET state = 'open', target = NULL WHERE number = $1", .small(part))
    }
  }
}
