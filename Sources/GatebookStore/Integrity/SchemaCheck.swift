internal import CSQLite
package import GatebookEvents
internal import GatebookMigrations

/// Compares a book's tables, indexes, triggers and views with those that the migrations make.
///
/// No hash covers them, and a trigger of somebody else runs with each write.
struct SchemaCheck {
  /// What differs, one sentence each.
  let problems: [String]

  /// Compares the schema of a book with that of its own version.
  init(_ connection: Connection) throws(GatebookError) {
    let version = try connection.integer("PRAGMA user_version")
    let found = try Self.entries(connection)
    let made = try Self.made(upTo: version)
    var problems: [String] = []
    for (name, entry) in made where found[name] != entry {
      problems.append(
        found[name] == nil
          ? "The \(name) is missing." : "The \(name) is not as Gatebook makes it.")
    }
    for name in found.keys where made[name] == nil {
      problems.append("The \(name) is none of Gatebook's.")
    }
    self.problems = problems.sorted()
  }

  /// Whether every trigger and view of a book stands in a migration: nothing else may run with a write.
  static func holdsOnlyOwnCode(_ connection: Connection) throws(GatebookError) -> Bool {
    let rows = try connection.statement(
      "SELECT ifnull(sql, '') FROM sqlite_schema WHERE type IN ('trigger', 'view')")
    defer { rows.reset() }
    while try rows.step() {
      let code = rows.text(0)
      guard migrations.contains(where: { String(decoding: $0.sql, as: UTF8.self).contains(code) })
      else { return false }
    }
    return true
  }

  /// What the first migrations make.
  private static func made(upTo version: Int64) throws(GatebookError) -> [String: String] {
    let memory = try Connection.open(
      ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX)
    for migration in migrations.prefix(Int(max(0, min(version, Int64(migrations.count))))) {
      try memory.execute(String(decoding: migration.sql, as: UTF8.self))
    }
    return try entries(memory)
  }

  /// The statements by what they make, and where it belongs.
  private static func entries(_ connection: Connection) throws(GatebookError) -> [String: String] {
    // SQLite's own tables and indexes come and go with it; `past` is what an archive has taken over, and
    // goes when the book is opened for writing.
    let rows = try connection.statement(
      """
      SELECT type || ' ' || name, tbl_name || ' ' || ifnull(sql, '') FROM sqlite_schema
      WHERE type NOT IN ('table', 'index') OR (name NOT GLOB 'sqlite_*' AND name <> 'past')
      """)
    defer { rows.reset() }
    var entries: [String: String] = [:]
    while try rows.step() { entries[rows.text(0)] = rows.text(1) }
    return entries
  }
}

extension BookReader {
  /// What of the book's tables, indexes, triggers and views is not as Gatebook makes it.
  ///
  /// - Returns: One sentence each, in an order that stays the same; none where nothing differs.
  /// - Throws: `storage` failures.
  package func schemaProblems() throws(GatebookError) -> [String] {
    try inSnapshot { () throws(GatebookError) in try SchemaCheck(connection).problems }
  }
}
