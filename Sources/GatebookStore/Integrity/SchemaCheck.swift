internal import CSQLite
package import GatebookEvents
internal import GatebookMigrations
internal import GatebookSystem

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
          ? "The \(name) is missing." : "The \(name) was changed.")
    }
    for name in found.keys where made[name] == nil {
      problems.append("The \(name) does not belong to Gatebook.")
    }
    self.problems = problems.sorted()
  }

  /// Whether only objects of the migrations affect what Gatebook writes.
  ///
  /// Somebody else's trigger runs with each write, and a table of ours that is made otherwise may
  /// replace rows or refuse them. Tables beside ours harm nobody; what is missing `doctor` names.
  static func isOwn(_ connection: Connection) throws(GatebookError) -> Bool {
    // SQLite does not mind how a type or a name is spelled.
    let rows = try connection.rows(
      "SELECT lower(type), lower(tbl_name), sql FROM sqlite_schema WHERE sql NOT NULL")
    while let row = try rows.next() {
      if isInMigrations(Array(row.raw(2))) { continue }
      let isStorage = ["table", "index"].contains(row.text(0))
      guard isStorage, !isInMigrations(Array("CREATE TABLE \(row.text(1)) ".utf8)) else {
        return false
      }
    }
    return true
  }

  private static func isInMigrations(_ code: [UInt8]) -> Bool {
    zip(migrations, beginnings).contains { migration, places in
      migration.sql.withUnsafeBytes { sql in
        places.contains { sql[$0...].starts(with: code) }
      }
    }
  }

  /// Where the statements begin that make something: SQLite keeps each from that word on.
  private static let beginnings: [[Int]] = migrations.map { migration in
    migration.sql.withUnsafeBytes { sql in
      let word = Array("CREATE ".utf8)
      return sql.indices.filter { sql[$0] == word[0] && sql[$0...].starts(with: word) }
    }
  }

  /// What the first migrations make.
  private static func made(upTo version: Int64) throws(GatebookError) -> [String: String] {
    let memory = try Connection.open(
      ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX)
    try memory.apply(migrations.prefix(Int(max(0, min(version, Int64(migrations.count))))))
    return try entries(memory)
  }

  /// The statements by what they make, and where it belongs.
  private static func entries(_ connection: Connection) throws(GatebookError) -> [String: String] {
    // SQLite's own tables and indexes come and go with it; `past` is what an archive has taken
    // over, and goes when the book is opened for writing.
    try connection.table(
      """
      SELECT type || ' ' || name, tbl_name || ' ' || ifnull(sql, '') FROM sqlite_schema
      WHERE type NOT IN ('table', 'index') OR (name NOT GLOB 'sqlite_*' AND name <> 'past')
      """
    ) { ($0.text(0), $0.text(1)) }
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
