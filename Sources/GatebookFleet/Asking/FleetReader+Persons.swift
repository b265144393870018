public import Gatebook

/// How far a fleet knows a person.
public struct FleetPersonReach: Hashable, Sendable {
  /// How many accounts of books are the person's.
  public let accounts: Int
  /// How many books have such accounts.
  public let books: Int
  /// How many books have events whose names have no pseudonyms: they were shipped without the key,
  /// and may have more accounts of the person.
  public let booksWithoutPseudonyms: Int
}

extension FleetReader {
  /// How many accounts a person has in books, and in how many books they could not be found.
  ///
  /// - Parameter scope: The person, and which books and accounts.
  /// - Returns: `nil` for a scope without a person.
  /// - Throws: `fleet.pseudonyms` for a fleet without pseudonyms, or with those of another key;
  ///   `configuration.invalid` for a book or an account that there is not; other `fleet` failures.
  public func reach(_ scope: FleetScope) async throws(GatebookError) -> FleetPersonReach? {
    guard scope.person != nil else { return nil }
    return try await ask(scope) { (selection, connection) async throws(GatebookError) in
      let accounts = selection.accounts
      let books = try FleetSelection(
        FleetScope(book: scope.book, branch: scope.branch), connection
      ).books
      return FleetPersonReach(
        accounts: accounts?.count ?? 0, books: accounts?.books.count ?? 0,
        booksWithoutPseudonyms: books.booksWithoutPseudonyms)
    }
  }
}

extension [FleetBook] {
  /// How many books have events whose names have no pseudonyms.
  var booksWithoutPseudonyms: Int {
    Set(self.filter { $0.named.rawValue < $0.size }.map(\.id)).count
  }
}
