package import GatebookEvents

/// What the numbers in event rows stand for.
package struct EventNames: BookTables {
  let connection: Connection

  /// The kind with a number.
  package func kind(_ number: Int64) throws(GatebookError) -> String {
    try row("SELECT name FROM kind WHERE number = ?1", number) { $0.text(0) }
  }

  /// The account with a number.
  package func account(_ number: Int64) throws(GatebookError) -> AccountID? {
    try row("SELECT id FROM account WHERE number = ?1", number) { AccountID(bytes: $0.raw(0)) }
  }

  /// The session with a number.
  package func session(_ number: Int64) throws(GatebookError) -> SessionID? {
    try row("SELECT id FROM session WHERE number = ?1", number) { SessionID(bytes: $0.raw(0)) }
  }

  /// The program with a number.
  package func program(_ number: Int64) throws(GatebookError) -> Program? {
    try row("SELECT program, version, installation FROM writer WHERE number = ?1", number) {
      $0.program(at: 0)
    }
  }

  /// The account's data key, wrapped; `nil` once the account is erased, empty where a recovery
  /// found none.
  func key(_ account: Int64) throws(GatebookError) -> [UInt8]? {
    try row("SELECT key FROM account WHERE number = ?1", account) {
      $0.isNull(0) ? nil : $0.bytes(0)
    }
  }

  private func row<Value>(
    _ query: String, _ number: Int64, _ read: (Statement) -> Value
  ) throws(GatebookError) -> Value {
    guard let found = try connection.first(query, number, read: { .some(read($0)) }) else {
      throw .storageDamaged("An event refers to an entry that does not exist.")
    }
    return found
  }
}
