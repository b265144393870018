internal import GatebookEvents

/// The numbers that stand for kinds, writers, accounts and sessions in the tables of a book.
///
/// Cached while nobody else writes; a number found once never changes.
final class Dictionaries {
  /// A kind's number and its part of the canonical bytes.
  struct Kind {
    let number: Int64
    let canonical: [UInt8]
  }

  private let connection: Connection
  // Few enough to be looked through; hashing a kind would hash its name.
  private var kinds: [(kind: EventKind, known: Kind)] = []
  private var writers: [Program: Int64] = [:]
  private var accounts: [AccountID: Int64] = [:]
  private var sessions: [SessionID: Int64] = [:]
  private static let cacheLimit = 8192

  init(_ connection: Connection) {
    self.connection = connection
  }

  func forget() {
    kinds = []
    writers = [:]
    accounts = [:]
    sessions = [:]
  }

  func kind(_ kind: EventKind) throws(GatebookError) -> Kind {
    for entry in kinds where entry.kind == kind { return entry.known }
    let number = try findOrAdd(
      "SELECT number FROM kind WHERE name = ?1",
      "INSERT INTO kind (name) VALUES (?1) RETURNING number", kind)
    let made = Kind(number: number, canonical: CanonicalEvent.describe(kind: kind.rawValue))
    kinds.append((kind, made))
    return made
  }

  func writer(_ program: Program) throws(GatebookError) -> Int64 {
    if let known = writers[program] { return known }
    let number = try findOrAdd(
      "SELECT number FROM writer WHERE program = ?1 AND version = ?2 AND installation = ?3",
      """
      INSERT INTO writer (program, version, installation) VALUES (?1, ?2, ?3) RETURNING number
      """, program.name, program.version, program.installation)
    writers[program] = number
    return number
  }

  func account(_ id: AccountID) throws(GatebookError) -> Int64? {
    if let known = accounts[id] { return known }
    let number = try connection.number(of: id)
    if let number { remember(number, for: id) }
    return number
  }

  func addAccount(_ id: AccountID, key: [UInt8]) throws(GatebookError) -> Int64 {
    let number = try connection.integer(
      "INSERT INTO account (id, key) VALUES (?1, ?2) RETURNING number", id, key)
    remember(number, for: id)
    return number
  }

  func session(_ id: SessionID) throws(GatebookError) -> Int64 {
    if let known = sessions[id] { return known }
    let number = try findOrAdd(
      "SELECT number FROM session WHERE id = ?1",
      "INSERT INTO session (id) VALUES (?1) RETURNING number", id)
    if sessions.count >= Self.cacheLimit { sessions = [:] }
    sessions[id] = number
    return number
  }

  private func remember(_ number: Int64, for id: AccountID) {
    if accounts.count >= Self.cacheLimit { accounts = [:] }
    accounts[id] = number
  }

  private func findOrAdd<each Value: Bindable>(
    _ find: String, _ add: String, _ values: repeat each Value
  ) throws(GatebookError) -> Int64 {
    if let found = try connection.first(find, repeat each values, read: { $0.integer(0) }) {
      return found
    }
    return try connection.integer(add, repeat each values)
  }
}
