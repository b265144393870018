internal import Gatebook
internal import GatebookEvents

/// Which books of a fleet can be asked now: those on servers that answer.
struct FleetReach {
  /// The servers that do not answer, in the order of their names.
  let missing: [MissingServer]
  /// The books on the others; `nil` while all servers answer.
  let books: [BookID]?

  /// Asks each server of the fleet.
  ///
  /// One that is out of reach takes the ten seconds that postgres_fdw waits for a connection.
  ///
  /// - Throws: `fleet` failures, except for servers that do not answer.
  init(_ connection: FleetConnection) throws(GatebookError) {
    guard try connection.isSpread() else {
      (missing, books) = ([], nil)
      return
    }
    let missing = try connection.run(
      "SELECT name, url, array_to_string(parts, ','), reason FROM gatebook.unreachable_servers()"
    ).map { row in
      MissingServer(
        name: row.text(0), place: row.text(1),
        parts: row.text(2).split(separator: ",").compactMap { Int($0) }, reason: row.text(3))
    }
    self.missing = missing
    guard !missing.isEmpty else {
      books = nil
      return
    }
    books = try connection.run(
      "SELECT unnest(gatebook.books_outside($1::integer[]))",
      .integers(Self.numbers(ofPartsOn: missing))
    ).map { (row) -> BookID? in row.identity(0) }.compactMap(\.self)
  }

  /// The numbers of the parts that cannot be read.
  var missingParts: [Int64] { Self.numbers(ofPartsOn: missing) }

  private static func numbers(ofPartsOn servers: [MissingServer]) -> [Int64] {
    servers.flatMap(\.parts).map { Int64($0) }
  }

  /// Whether a name is that of one book alone: no other server than the book's own is asked then.
  static func isWhole(_ name: String?) -> Bool { name.flatMap { BookID($0) } != nil }
}

extension FleetConnection {
  /// What is thrown where something was not found: it may be on a server that does not answer.
  ///
  /// - Parameters:
  ///   - error: The failure if all servers have answered.
  ///   - name: The book that was asked for; `nil` for all.
  /// - Returns: That failure, or `fleet.unreachable`.
  /// - Throws: `fleet` failures.
  func notFound(
    _ error: GatebookError, in name: String?
  ) throws(GatebookError) -> GatebookError {
    guard !FleetReach.isWhole(name) else { return error }
    let missing = try reach().missing
    guard !missing.isEmpty else { return error }
    return .missing(missing, kept: "The other servers do not have what was asked for.")
  }
}
