internal import Gatebook
internal import GatebookEvents

/// The present of one history as its book folded it.
struct FleetStates {
  let book: FleetBook
  private(set) var accounts: [(id: AccountID, state: AccountState)] = []
  private(set) var sessions: [(id: SessionID, state: SessionRecord)] = []
  private(set) var roster = Roster()
  /// Whether a row is not what a book writes, or what this version can read.
  private(set) var isDamaged = false

  /// As many histories are read at once.
  static let pageSize = 50

  /// The parts of a book's present.
  enum Part: String {
    case account, session, roster
  }

  /// Reads the present of some histories.
  ///
  /// - Parameters:
  ///   - books: The histories.
  ///   - parts: What is read of them.
  ///   - accounts: Only the states of these accounts; `nil` for all.
  ///   - connection: The fleet.
  /// - Returns: One present for each, in the same order; accounts in the order in which they were
  ///   added.
  /// - Throws: `fleet` failures.
  static func read(
    _ books: some Collection<FleetBook>, _ parts: [Part], of accounts: ChosenAccounts? = nil,
    _ connection: FleetConnection
  ) throws(GatebookError) -> [FleetStates] {
    var conditions = FleetConditions()
    conditions.add("book = ANY(?)", .identities(Array(Set(books.map(\.id)))))
    conditions.add("part = ANY(?)", .texts(parts.map(\.rawValue)))
    if let accounts {
      conditions.add(
        "(part <> 'account' OR name = ANY(?))", .bytesArray(accounts.ids.map(\.bytes)))
    }
    let rows = try connection.run(
      "SELECT book, branch, part, name, state FROM gatebook.state \(conditions.clause)", conditions)
    var states: [EventPlace: FleetStates] = [:]
    for book in books { states[Self.key(book.id, book.branch)] = FleetStates(book: book) }
    for number in 0..<rows.count {
      let row = rows[number]
      guard let book: BookID = row.identity(0) else { continue }
      states[Self.key(book, Int(row.integer(1)))]?.take(
        row.text(2), name: row.bytes(3), row.bytes(4))
    }
    return books.compactMap { book in
      var found = states[Self.key(book.id, book.branch)]
      if let accounts {
        found?.accounts.removeAll { !accounts.contains($0.id, in: book.id) }
      }
      found?.accounts.sort { $0.state.added < $1.state.added }
      return found
    }
  }

  private static func key(_ book: BookID, _ branch: Int) -> EventPlace {
    EventPlace(book: book, branch: branch, position: .start)
  }

  private init(book: FleetBook) {
    self.book = book
  }

  private mutating func take(_ part: String, name: [UInt8], _ state: [UInt8]) {
    state.withUnsafeBytes { raw in
      switch Part(rawValue: part) {
      case .account:
        guard let id = AccountID(bytes: name), let state = AccountState(decoding: raw) else {
          break
        }
        return accounts.append((id, state))
      case .session:
        guard let id = SessionID(bytes: name), let record = SessionRecord(decoding: raw) else {
          break
        }
        return sessions.append((id, record))
      case .roster:
        guard let roster = Roster(decoding: raw) else { break }
        self.roster = roster
        return
      case nil: break
      }
      isDamaged = true
    }
  }
}

extension FleetBook {
  /// Whether its stored states are older than its head: so is what a question about accounts and
  /// sessions tells of it.
  public var hasOldStates: Bool { folded.rawValue < size }

  /// Whether another version of Gatebook made its stored states.
  public var hasOtherFolds: Bool { folded > .start && folds != BookFold.version }
}
