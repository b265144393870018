internal import GatebookEvents

/// A statement that is prepared when it is first needed and kept beside the code that runs it: the
/// hot path looks nothing up by its text.
struct KeptStatement {
  private let sql: String
  private var statement: Statement?

  init(_ sql: String) {
    self.sql = sql
  }

  /// The statement, ready to be bound; always on the same connection.
  mutating func on(_ connection: Connection) throws(GatebookError) -> Statement {
    if let statement { return statement }
    let made = try Statement(connection, sql)
    statement = made
    return made
  }
}
