internal import GatebookEvents

/// What the leaf says instead of the numbers in a row: names and identities, each looked up once.
final class CanonicalNames {
  private let connection: Connection
  private var kinds: [Int64: [UInt8]] = [:]
  private var writers: [Int64: [UInt8]] = [:]
  private var accounts: [Int64: AccountID] = [:]
  private var sessions: [Int64: SessionID] = [:]
  private static let cacheLimit = 65_536

  init(_ connection: Connection) throws(GatebookError) {
    self.connection = connection
    let kinds = try connection.statement("SELECT number, name FROM kind")
    while try kinds.step() {
      self.kinds[kinds.integer(0)] = CanonicalEvent.describe(kind: kinds.text(1))
    }
    let writers = try connection.statement(
      "SELECT number, program, version, installation FROM writer")
    while try writers.step() {
      guard let installation = InstallationID(bytes: writers.raw(3)) else { continue }
      self.writers[writers.integer(0)] = CanonicalEvent.describe(
        Program(name: writers.text(1), version: writers.text(2), installation: installation))
    }
  }

  /// Writes the canonical bytes of a row of `event`, all columns but the leaf in their order.
  ///
  /// - Returns: `false` when a number leads nowhere.
  func write(
    _ row: Statement, into canonical: inout CanonicalEvent
  ) throws(GatebookError) -> Bool {
    guard let id = EventID(bytes: row.raw(1)), let kind = kinds[row.integer(5)],
      let writer = writers[row.integer(9)]
    else { return false }
    var account: AccountID?
    if row.integer(2) != 0 {
      account = try identity(row.integer(2), in: &accounts, "account")
      guard account != nil else { return false }
    }
    var session: SessionID?
    if let number = row.optionalInteger(4) {
      session = try identity(number, in: &sessions, "session")
      guard session != nil else { return false }
    }
    canonical.write(
      CanonicalEvent.Envelope(
        position: row.integer(0), id: id, account: account, revision: row.integer(3),
        session: session, version: row.integer(6), at: row.integer(7),
        cause: row.optionalInteger(8), process: row.integer(10)),
      kind: kind, writer: writer, data: row.raw(11), sealed: row.isNull(12) ? nil : row.raw(12))
    return true
  }

  private func identity<ID: Identity>(
    _ number: Int64, in known: inout [Int64: ID], _ table: String
  ) throws(GatebookError) -> ID? {
    if let id = known[number] { return id }
    let statement = try connection.statement("SELECT id FROM \(table) WHERE number = ?1")
    statement.bind(1, number)
    defer { statement.reset() }
    guard try statement.step(), let id = ID(bytes: statement.raw(0)) else { return nil }
    if known.count >= Self.cacheLimit { known = [:] }
    known[number] = id
    return id
  }
}
