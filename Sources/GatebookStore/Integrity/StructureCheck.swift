internal import GatebookEvents

/// SQLite's own check of the file: pages, rows and small indexes.
///
/// Those of `event` have their own, much faster one (`IndexScan`).
struct StructureCheck: Sendable {
  private(set) var problems: [String] = []

  init(of path: String) {
    do throws(GatebookError) {
      let connection = try BookReader.open(at: path).connection
      try run("PRAGMA quick_check(20)", connection)
      for table in ["account", "kind", "session", "writer"] {
        try run("PRAGMA integrity_check(\(table))", connection)
      }
    } catch {
      problems.append(error.finding)
    }
  }

  private mutating func run(_ check: String, _ connection: Connection) throws(GatebookError) {
    let statement = try connection.statement(check)
    defer { statement.reset() }
    while try statement.step() {
      let line = statement.text(0)
      if line != "ok" { problems.append("SQLite: \(line)") }
    }
  }
}
