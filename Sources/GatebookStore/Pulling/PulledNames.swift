internal import GatebookEvents

/// The numbers that stand for names and identities in a pulled book, given as they are met.
final class PulledNames {
  private let connection: Connection
  private let dictionaries: Dictionaries
  // By their names: a newer version's kinds are kept too.
  private var kinds: [[UInt8]: Int64] = [:]

  init(_ connection: Connection) {
    self.connection = connection
    dictionaries = Dictionaries(connection)
  }

  func kind(_ name: [UInt8]) throws(GatebookError) -> Int64 {
    if let known = kinds[name] { return known }
    let number = try connection.integer(
      "INSERT INTO kind (name) VALUES (?1) RETURNING number", UTF8Text(name))
    kinds[name] = number
    return number
  }

  /// The number of an account; 0 for the book's own stream.
  func account(_ id: AccountID?) throws(GatebookError) -> Int64 {
    guard let id else { return 0 }
    if let known = try dictionaries.account(id) { return known }
    return try dictionaries.addAccount(id, key: PulledMark.accountKey)
  }

  func session(_ id: SessionID?) throws(GatebookError) -> Int64? {
    guard let id else { return nil }
    return try dictionaries.session(id)
  }

  func program(_ program: Program) throws(GatebookError) -> Int64 {
    try dictionaries.writer(program)
  }

  /// Gives numbers to all that a state names.
  func take(_ state: [BaselineState.Row]) throws(GatebookError) {
    let counters = Set(BaselineState.tallies.values)
    for row in state {
      switch row.part {
      case BaselineState.session: _ = try session(SessionID(bytes: row.name))
      case BaselineState.account, BaselineState.stream,
        BaselineState.tallies[TallyKey.account] ?? "":
        _ = try account(AccountID(bytes: row.name))
      default: break
      }
      guard counters.contains(row.part) else { continue }
      for name in Facts(decoding: row.state)?.names ?? [] { _ = try kind(Array(name.utf8)) }
    }
  }

  /// Replaces the present by that of a fold.
  func replaceProjections(by fold: BookFold) throws(GatebookError) {
    try Projections(connection, dictionaries).replace(by: fold)
    for (account, state) in fold.accounts where state.state == .ended(.erased) {
      try connection.run("UPDATE account SET key = NULL WHERE id = ?1", account)
    }
  }
}
