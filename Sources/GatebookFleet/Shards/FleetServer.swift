internal import Gatebook

/// A server of a fleet, and the parts that lie on it.
public struct FleetServer: Hashable, Sendable {
  /// Its name in the fleet; `nil` for the coordinator itself.
  public let name: String?
  /// `HOST:PORT/DATABASE`; `nil` for the coordinator itself.
  public let place: String?
  /// The numbers of its parts, from 0 to 63, in ascending order.
  public let parts: [Int]
  /// Those of them that are moving to another server.
  public let moving: [Int]
}

extension FleetServer {
  /// All servers that a fleet knows, the coordinator first if parts lie there.
  static func list(_ connection: FleetConnection) throws(GatebookError) -> [FleetServer] {
    let rows = try connection.reading { () throws(GatebookError) in
      try connection.run(
        """
        SELECT s.name, s.url, array_to_string(array_agg(p.number ORDER BY p.number), ','),
          array_to_string(
            array_agg(p.number ORDER BY p.number) FILTER (WHERE p.target IS NOT NULL), ',')
        FROM gatebook.server s FULL JOIN gatebook.part p ON p.server = s.name
        GROUP BY s.name, s.url ORDER BY s.name NULLS FIRST
        """)
    }
    return try rows.map { row in
      func numbers(_ column: Int32) -> [Int] {
        row.text(column).split(separator: ",").compactMap { Int($0) }
      }
      return FleetServer(
        name: row.optionalText(0), place: row.optionalText(1), parts: numbers(2), moving: numbers(3)
      )
    }
  }
}
