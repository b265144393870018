public import Gatebook
internal import GatebookEvents

/// One history of a book in a fleet.
public struct FleetBook: Hashable, Sendable {
  /// The book.
  public let id: BookID
  /// The history: 0 for the first one; others begin where the book was copied and both copies were
  /// used.
  public let branch: Int
  /// The history that it left; `nil` for the first one.
  public let parent: Int?
  /// The last event that it shares with that history; `.start` for the first one.
  public let base: Position
  /// The first event that the fleet has of it, except for those up to `base`.
  public let first: Position
  /// The last event of the state that its book begins with after an archive or a recovery;
  /// `.start` if the book was shipped without one.
  public let floor: Position
  /// The last event that the fleet forgot; `.start` if it forgot none.
  public let forgotten: Position
  /// The name of the machine; `nil` where it was not told.
  public let machine: String?
  /// The role that ships the book.
  public let owner: String
  /// How many events its head counts.
  public let size: Int64
  /// The root over them, 32 bytes; `nil` where it is not known.
  package let root: [UInt8]?
  /// The signed checkpoint of the head; `nil` where it was shipped without the book's key.
  public let checkpoint: String?
  /// How many of its events came without their encrypted facts.
  public let withheld: Int64
  /// The last event whose names have pseudonyms; `.start` where none was sent.
  package let named: Position
  /// The head that its stored states belong to.
  public let folded: Position
  /// The version of the folds that made these states.
  package let folds: Int64
  /// When the first of its own events was; `nil` while it has none.
  public let firstEvent: Timestamp?
  /// When the last of its own events was; `nil` while it has none.
  public let lastEvent: Timestamp?
  /// How many accounts its stored states have.
  public let accounts: Int64
  /// How many of them have a usable session, as these states say.
  public let usableSessions: Int64
  /// When the fleet first heard of it.
  public let begun: Timestamp
  /// When the fleet last heard of it, also without new events.
  public let heard: Timestamp
  /// On how many days of UTC the fleet heard of it.
  public let daysHeard: Int64
}

extension FleetBook {
  /// All histories of all books on servers that answer, in the order of their machines' names, then
  /// of the books.
  ///
  /// - Parameters:
  ///   - connection: The fleet, as an auditor.
  ///   - name: Only books of this name: a machine's name, or a book's identity or the beginning of
  ///     one of at least four digits; `nil` for all.
  /// - Returns: The histories.
  /// - Throws: `fleet` failures.
  static func list(
    _ connection: FleetConnection, named name: String? = nil
  ) throws(GatebookError) -> [FleetBook] {
    var conditions = FleetConditions()
    if let id = name.flatMap({ BookID($0) }) {
      conditions.add("book = ?", .identity(id))
    } else {
      // Text of PostgreSQL cannot hold U+0000, so no machine has such a name.
      guard name?.utf8.contains(0) != true else { return [] }
      if let books = try connection.reach().books {
        conditions.add("book = ANY(?)", .identities(books))
      }
      if let name {
        conditions.add(
          "(machine = ? OR starts_with(encode(uuid_send(book), 'hex'), ?))", .text(name),
          .text(name.utf8.count < 4 ? nil : name.lowercased()))
      }
    }
    let rows = try connection.run(
      """
      SELECT book, branch, parent, base, first, floor, machine, owner, size, root, checkpoint,
        withheld, folded, folds, (extract(epoch FROM begun) * 1000000)::bigint,
        (extract(epoch FROM heard) * 1000000)::bigint, first_at, last_at, accounts, usable,
        days, named, forgotten
      FROM gatebook.branch \(conditions.clause)
      ORDER BY machine COLLATE "C", book, branch
      """, conditions)
    return try rows.map { (row) throws(GatebookError) in
      guard let id: BookID = row.identity(0) else {
        throw GatebookError(
          .fleetMismatch, "A row of the fleet has no book.", remedy: "Run `FleetVerifier`.")
      }
      return FleetBook(
        id: id, branch: Int(row.integer(1)), parent: row.optionalInteger(2).map { Int($0) },
        base: Position(rawValue: row.integer(3)), first: Position(rawValue: row.integer(4)),
        floor: Position(rawValue: row.integer(5)),
        forgotten: Position(rawValue: row.integer(22)), machine: row.optionalText(6),
        owner: row.text(7), size: row.integer(8), root: row.optionalBytes(9),
        checkpoint: row.optionalText(10), withheld: row.integer(11),
        named: Position(rawValue: row.integer(21)), folded: Position(rawValue: row.integer(12)),
        folds: row.integer(13),
        firstEvent: row.optionalInteger(16).map(Timestamp.init(rawValue:)),
        lastEvent: row.optionalInteger(17).map(Timestamp.init(rawValue:)),
        accounts: row.integer(18), usableSessions: row.integer(19),
        begun: Timestamp(rawValue: row.integer(14)), heard: Timestamp(rawValue: row.integer(15)),
        daysHeard: row.integer(20))
    }
  }

  /// Whether its earlier events are in the history that it left: not once the fleet forgot some of
  /// them, because it then begins with a state of its own.
  var continuesParent: Bool { parent != nil && forgotten == .start }

  /// The one history of a name.
  ///
  /// - Parameters:
  ///   - name: As for ``list(_:named:)``.
  ///   - branch: Which history; `nil` for the only one.
  ///   - connection: The fleet, as an auditor.
  /// - Returns: The history.
  /// - Throws: `configuration.invalid` where there is none, or more than one; `fleet` failures.
  static func one(
    named name: String, branch: Int?, _ connection: FleetConnection
  ) throws(GatebookError) -> FleetBook {
    let found = try list(connection, named: name).filter { branch == nil || $0.branch == branch }
    if found.count == 1 { return found[0] }
    guard !found.isEmpty else {
      throw try connection.notFound(
        GatebookError(
          .configurationInvalid, "The fleet has no book \(name).",
          remedy: "`FleetReader.books()` lists all books."
        ).with(\.setting, "book"), in: name)
    }
    let names = found.prefix(5).map { "\($0.id) (branch \($0.branch), \($0.machine ?? "no name"))" }
    throw GatebookError(
      .configurationInvalid, "The name \(name) means more than one history of a book.",
      remedy: "Choose one by its identity and branch: " + names.joined(separator: ", ") + "."
    ).with(\.setting, "book")
  }

  /// The first history of the one book of a name.
  ///
  /// - Parameters:
  ///   - name: As for ``list(_:named:)``.
  ///   - connection: The fleet.
  /// - Returns: The history.
  /// - Throws: `configuration.invalid` where there is no such book, or more than one; `fleet`
  ///   failures.
  static func only(
    named name: String, _ connection: FleetConnection
  ) throws(GatebookError) -> FleetBook {
    let found = try list(connection, named: name)
    guard let book = found.first, found.allSatisfy({ $0.id == book.id }) else {
      return try one(named: name, branch: nil, connection)
    }
    return book
  }
}
