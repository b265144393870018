/// Which books and accounts of a fleet a question is about.
public struct FleetScope: Hashable, Sendable {
  /// A machine's name, or a book's identity or the beginning of one of at least four digits; `nil`
  /// for all books.
  public var book: String?
  /// Only this history of a book; `nil` for all.
  public var branch: Int?
  /// An account's identity or its beginning; `nil` for all.
  ///
  /// Labels and user names are encrypted, so they name no account here.
  public var account: String?
  /// Only the accounts of this person; `nil` for all.
  public var person: FleetPerson?

  /// Makes a scope; without arguments it is the whole fleet.
  ///
  /// - Parameters:
  ///   - book: Which book.
  ///   - branch: Which of its histories.
  ///   - account: Which account.
  ///   - person: Whose accounts.
  public init(
    book: String? = nil, branch: Int? = nil, account: String? = nil, person: FleetPerson? = nil
  ) {
    self.book = book
    self.branch = branch
    self.account = account
    self.person = person
  }
}
