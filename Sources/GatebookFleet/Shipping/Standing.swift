internal import Gatebook
internal import GatebookCrypto
internal import GatebookEvents

/// What a fleet has of one history of a book.
struct FleetBranch {
  let number: Int32
  /// The branch that it left; `nil` for the first history.
  let parent: Int32?
  /// The last event that it shares with its parent.
  let base: Int64
  /// The first event that the fleet expected of it.
  let first: Int64
  /// What the fleet has of the past belongs to the state after this event.
  let floor: Int64
  /// How many events its head counts.
  let size: Int64
  /// The root over them; `nil` where the shipper could not know it.
  let root: [UInt8]?
  /// The last event whose names have pseudonyms.
  let named: Int64
  /// The last event of its history that the fleet forgot; 0 for none.
  var forgotten: Int64
  /// The root over the events up to there.
  var forgottenRoot: [UInt8]?
}

/// What a fleet has of a book.
struct Standing {
  /// The histories, the first one first; none for a book that the fleet does not know.
  let branches: [FleetBranch]

  /// Asks the fleet.
  ///
  /// - Throws: `fleet.refused` for a book of another role; other `fleet` failures.
  init(of book: BookID, _ connection: FleetConnection) throws(GatebookError) {
    let rows = try connection.run(
      """
      SELECT is_own, branch, parent, base, first, floor, size, root, named, forgotten, start
      FROM gatebook.standing($1)
      """, .identity(book))
    guard try rows.map({ $0.bool(0) }).allSatisfy({ $0 }) else {
      throw Self.foreign(book, connection.address)
    }
    let found = try rows.map { row in
      FleetBranch(
        number: Int32(row.integer(1)), parent: row.optionalInteger(2).map { Int32($0) },
        base: row.integer(3), first: row.integer(4), floor: row.integer(5), size: row.integer(6),
        root: row.optionalBytes(7), named: row.integer(8), forgotten: row.integer(9),
        forgottenRoot: row.optionalBytes(10).flatMap(Self.root))
    }
    // A history has the earlier events of the one that it left, and so lacks them too.
    branches = found.map { branch in
      var (branch, home) = (branch, branch)
      while home.forgotten == 0, home.base > 0,
        let parent = found.first(where: { $0.number == home.parent && $0.number < home.number })
      {
        home = parent
      }
      (branch.forgotten, branch.forgottenRoot) = (home.forgotten, home.forgottenRoot)
      return branch
    }
  }

  /// The root in the record of what a history begins with.
  private static func root(_ opening: [UInt8]) -> [UInt8]? {
    let facts = opening.withUnsafeBytes { Facts(decoding: $0) }
    return facts?["root"]?.text.flatMap { Hex.decode($0) }
  }

  /// That the book belongs to somebody else.
  static func foreign(_ book: BookID, _ address: FleetAddress) -> GatebookError {
    GatebookError(
      .fleetRefused, "In the fleet at \(address), book \(book) belongs to another role.",
      kept: "Nothing was sent.",
      remedy:
        "Ship it as that role. If the machine has a new role, an administrator hands the book over: "
        + "`gatebook fleet grant \(book) --to ROLE`.")
  }
}
