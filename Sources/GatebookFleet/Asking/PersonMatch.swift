internal import Gatebook
internal import GatebookEvents

/// The accounts of a person in the books of a fleet.
struct PersonMatch {
  let accounts: ChosenAccounts

  /// Finds them by the index of pseudonyms.
  ///
  /// - Parameters:
  ///   - person: The person.
  ///   - books: The histories in which to look.
  ///   - isWhole: Whether these are all.
  ///   - connection: The fleet.
  /// - Throws: `fleet.pseudonyms` for a fleet without pseudonyms, or with those of another key;
  ///   other `fleet` failures. Not for a person whom the fleet does not know.
  init(
    _ person: FleetPerson, _ books: [FleetBook], isWhole: Bool, _ connection: FleetConnection
  ) throws(GatebookError) {
    guard let key = try Self.key(of: connection) else {
      throw PseudonymRefusal.none(connection.address)
    }
    guard key == person.key else { throw PseudonymRefusal.asked(connection.address) }
    let (statement, conditions) = Self.question(person, books, isWhole: isWhole)
    let rows = try connection.byKeys { () throws(GatebookError) in
      try connection.run(statement, conditions)
    }
    var found: [BookID: Set<AccountID>] = [:]
    for number in 0..<rows.count {
      guard let book: BookID = rows[number].identity(0),
        let account: AccountID = rows[number].identity(1)
      else { continue }
      found[book, default: []].insert(account)
    }
    accounts = ChosenAccounts(found)
  }

  /// The statement that finds them.
  static func question(
    _ person: FleetPerson, _ books: [FleetBook], isWhole: Bool
  ) -> (statement: String, conditions: FleetConditions) {
    var conditions = FleetConditions()
    conditions.add("value = ANY(?)", .bytesArray(person.pseudonyms))
    if !isWhole { conditions.add("book = ANY(?)", .identities(Set(books.map(\.id)).sorted())) }
    return (
      "SELECT book, account FROM gatebook.pseudonym \(conditions.clause) GROUP BY book, account",
      conditions
    )
  }

  /// Tells the key of the fleet's pseudonyms from another one; `nil` while it has none.
  static func key(of connection: FleetConnection) throws(GatebookError) -> [UInt8]? {
    try connection.run("SELECT pseudonym_key FROM gatebook.fleet").first?.optionalBytes(0)
  }
}
