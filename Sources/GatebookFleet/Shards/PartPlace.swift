internal import Gatebook

/// A server that a part lies on or moves to: the coordinator itself has no name.
struct PartPlace {
  let name: String?
  let connection: FleetConnection

  /// The server's name as people read it.
  var shown: String { name ?? "the coordinator" }

  /// The state of a part whose tables are on this server; `nil` if they are not.
  ///
  /// - Throws: `fleet` failures.
  func state(of part: Int32) throws(GatebookError) -> String? {
    try connection.asOwner { () throws(GatebookError) in
      try connection.run(
        "SELECT state FROM gatebook.part WHERE number = $1 AND server IS NULL", .small(part))
    }.first?.optionalText(0)
  }

  /// Whether this server has tables of a part, or says that it has them.
  func hasLeftover(of part: Int32) throws(GatebookError) -> Bool {
    try connection.asOwner { () throws(GatebookError) in
      try connection.run(
        """
        SELECT EXISTS (SELECT FROM gatebook.part WHERE number = $1 AND server IS NULL)
          OR to_regclass('gatebook_part.branch_' || $1) IS NOT NULL
        """, .small(part))
    }.first?.bool(0) == true
  }

  /// Opens a part for shippers, where it lies.
  func open(_ part: Int32) throws(GatebookError) {
    try connection.asOwner { () throws(GatebookError) in
      try connection.run(
        "UPDATE gatebook.part SET state = 'open' WHERE number = $1 AND server IS NULL",
        .small(part))
    }
  }

  /// Drops the tables of a part, which lies on another server.
  ///
  /// - Parameters:
  ///   - part: Its number.
  ///   - waiting: Called when questions keep it waiting.
  /// - Throws: `fleet` failures; nothing was dropped then.
  func drop(_ part: Int32, waiting: () -> Void) throws(GatebookError) {
    try connection.lockingTables(waiting: waiting) { () throws(GatebookError) in
      try connection.run("SELECT gatebook.drop_part($1)", .small(part))
      try connection.run(
        "DELETE FROM gatebook.part WHERE number = $1 AND server IS NULL", .small(part))
    }
  }

  /// Drops the tables that a move has filled and not opened.
  func dropIncoming(_ part: Int32) throws(GatebookError) {
    try connection.asOwner { () throws(GatebookError) in
      for table in try connection.partitionedTables() {
        let name = SQLText.identifier("incoming_\(table)_\(part)")
        try connection.run("DROP TABLE IF EXISTS gatebook_part.\(name)")
      }
    }
  }
}

extension FleetConnection {
  /// How long a server may be silent during a move: it sends nothing while it reads a whole part.
  static let movePatience = Duration.seconds(3600)

  /// The names of the partitioned tables.
  ///
  /// The branch is the first one, as for shippers: who locks all of them waits there.
  func partitionedTables() throws(GatebookError) -> [String] {
    try run("SELECT name FROM gatebook.partitioned ORDER BY name <> 'branch', name").map {
      $0.text(0)
    }
  }
}
