internal import Gatebook
internal import GatebookEvents

/// The histories and the accounts that a question turned out to be about.
struct FleetSelection: Sendable {
  /// The histories, in the order of their machines' names, then of the books.
  let books: [FleetBook]
  /// Whether these are all that can be asked.
  let isWhole: Bool
  /// The only accounts that count; `nil` for all.
  let accounts: ChosenAccounts?
  /// The servers that do not answer, and may have more of what was asked for.
  let missing: [MissingServer]
  /// The books on the other servers; `nil` while all servers answer.
  private let reachable: [BookID]?
  /// The histories by their names, with those that they left.
  private let known: [History: FleetBook]

  /// Names a history.
  private struct History: Hashable {
    let book: BookID
    let branch: Int
  }

  /// Finds what a question is about.
  ///
  /// A person whom no book knows makes it about no history at all.
  ///
  /// - Throws: `configuration.invalid` where there is none, or an account is ambiguous.
  ///   `fleet.pseudonyms` where no person can be found. `fleet.unreachable` where a server that
  ///   does not answer may have it. Other `fleet` failures.
  init(_ scope: FleetScope, _ connection: FleetConnection) throws(GatebookError) {
    let reach = FleetReach.isWhole(scope.book) ? nil : try connection.reach()
    missing = reach?.missing ?? []
    reachable = reach?.books
    var books = try FleetBook.list(connection, named: scope.book)
      .filter { scope.branch == nil || $0.branch == scope.branch }
    guard !books.isEmpty || scope.book == nil && scope.branch == nil else {
      throw try connection.notFound(Self.unknownBook(scope), in: scope.book)
    }
    var isWhole = scope.book == nil && scope.branch == nil
    var known: [History: FleetBook] = [:]
    for book in books { known[History(book: book.id, branch: book.branch)] = book }
    if !isWhole {
      // A copy on another machine has another name than the history that it left.
      for book in books where book.parent != nil {
        for other in try FleetBook.list(connection, named: book.id.description) {
          known[History(book: other.id, branch: other.branch)] = other
        }
      }
    }
    var accounts: ChosenAccounts?
    if let text = scope.account {
      let found = try AccountMatch(
        text, books, isWhole: isWhole && reachable == nil, in: scope.book, connection)
      books = found.books
      accounts = ChosenAccounts(
        Dictionary(books.map { ($0.id, Set([found.account])) }) { first, _ in first })
      isWhole = false
    }
    if let person = scope.person {
      let found = try PersonMatch(person, books, isWhole: isWhole && reachable == nil, connection)
        .accounts
      let chosen = accounts?.intersection(found) ?? found
      books = books.filter { chosen.books.contains($0.id) }
      accounts = chosen
      isWhole = false
    }
    self.accounts = accounts
    self.books = books
    self.isWhole = isWhole
    self.known = known
  }

  /// Finds what a question is about that needs no list of all books.
  ///
  /// - Throws: As ``init(_:_:)``.
  init(unlisted scope: FleetScope, _ connection: FleetConnection) throws(GatebookError) {
    guard scope == FleetScope() else {
      try self.init(scope, connection)
      return
    }
    self.init(try connection.reach())
  }

  /// All books, and none of them listed.
  private init(_ reach: FleetReach) {
    missing = reach.missing
    reachable = reach.books
    books = []
    isWhole = true
    accounts = nil
    known = [:]
  }

  private static func unknownBook(_ scope: FleetScope) -> GatebookError {
    let name = scope.book.map { "no book `\($0)`" } ?? "no book"
    let branch = scope.branch.map { " with a branch \($0)" } ?? ""
    return GatebookError(
      .configurationInvalid, "The fleet has \(name)\(branch).",
      remedy: "`FleetReader.books()` lists all books."
    ).with(\.setting, "book")
  }

  /// The only history; `nil` for none and for several.
  var only: FleetBook? { books.count == 1 ? books[0] : nil }

  /// The history of a row.
  func book(_ id: BookID, _ branch: Int) -> FleetBook? {
    known[History(book: id, branch: branch)]
  }

  /// Where an event of a history lies: in it, or in the one that it left.
  func place(of position: Position, in book: FleetBook) -> EventPlace {
    var home = book
    while position <= home.base, home.continuesParent, let parent = home.parent,
      let other = known[History(book: home.id, branch: parent)], other.branch < home.branch
    {
      home = other
    }
    return EventPlace(book: home.id, branch: home.branch, position: position)
  }

  /// Demands of rows that they are of these histories.
  func restrict(_ conditions: inout FleetConditions) {
    if let only {
      conditions.add("book = ?", .identity(only.id))
      conditions.add("branch = ?", .small(Int32(only.branch)))
    } else if !isWhole {
      conditions.add("book = ANY(?)", .identities(Array(Set(books.map(\.id))).sorted()))
      conditions.add(
        "(book, branch) IN (SELECT * FROM unnest(?::uuid[], ?::integer[]))",
        .identities(books.map(\.id)), .integers(books.map { Int64($0.branch) }))
    } else {
      restrictBooks(&conditions)
    }
  }

  /// Demands of rows that they are of these books.
  func restrictBooks(_ conditions: inout FleetConditions) {
    guard let ids = isWhole ? reachable : books.map(\.id) else { return }
    conditions.add("book = ANY(?)", .identities(ids))
  }
}

/// Names an event of a fleet.
struct EventPlace: Hashable, Sendable {
  let book: BookID
  let branch: Int
  let position: Position
}
