internal import Gatebook
internal import GatebookEvents

/// The accounts that a question is about, by their books.
struct ChosenAccounts: Sendable {
  private let byBook: [BookID: Set<AccountID>]

  init(_ byBook: [BookID: Set<AccountID>]) {
    self.byBook = byBook.filter { !$0.value.isEmpty }
  }

  /// Whether the question turned out to be about none.
  var isEmpty: Bool { byBook.isEmpty }
  /// How many there are.
  var count: Int { byBook.values.reduce(0) { $0 + $1.count } }
  /// Their books.
  var books: Set<BookID> { Set(byBook.keys) }
  /// Their ids, in ascending order; different books may have the same ones.
  var ids: [AccountID] { Set(byBook.values.joined()).sorted() }

  /// Those of a book.
  func of(_ book: BookID) -> Set<AccountID> { byBook[book] ?? [] }

  func contains(_ account: AccountID, in book: BookID) -> Bool { of(book).contains(account) }

  /// Those that another choice has too.
  func intersection(_ other: ChosenAccounts) -> ChosenAccounts {
    ChosenAccounts(
      byBook.reduce(into: [:]) { common, book in
        common[book.key] = book.value.intersection(other.of(book.key))
      })
  }

  /// Demands of rows with the columns `book` and `account` that they are of these accounts.
  ///
  /// The histories are demanded by ``FleetSelection/restrict(_:)``.
  func restrict(_ conditions: inout FleetConditions) {
    let ids = ids
    if let only = ids.first, ids.count == 1 {
      conditions.add("account = ?", .identity(only))
      return
    }
    conditions.add("account = ANY(?)", .identities(ids))
    guard byBook.count > 1 else { return }
    // An expression and no join: another server can compute it, and it changes no plan.
    conditions.add(
      "uuid_send(book) || uuid_send(account) = ANY(?)",
      .bytesArray(byBook.flatMap { book, ids in ids.map { book.bytes + $0.bytes } }))
  }
}
