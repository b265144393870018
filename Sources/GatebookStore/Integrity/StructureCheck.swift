internal import CSQLite
internal import GatebookEvents

/// SQLite's own check of the file: pages, rows and small indexes.
///
/// Those of `event` have their own, much faster one (`IndexScan`).
struct StructureCheck: Sendable {
  private(set) var problems: [String] = []

  /// Looks at a file; once the task is cancelled it stops, and what it has found is of no use.
  init(of path: String) async {
    do throws(GatebookError) {
      let connection = try BookReader.open(at: path).connection
      // SQLite counts no steps within such a check; it may be interrupted by any thread.
      nonisolated(unsafe) let handle = connection.handle
      problems = await withTaskCancellationHandler {
        Self.problems(connection)
      } onCancel: {
        sqlite3_interrupt(handle)
      }
    } catch {
      problems.append(error.finding)
    }
  }

  private static func problems(_ connection: Connection) -> [String] {
    var problems: [String] = []
    let checks =
      ["quick_check(20)"]
      + ["account", "kind", "session", "writer"].map { "integrity_check(\($0))" }
    do throws(GatebookError) {
      for check in checks where !Task.isCancelled {
        problems += try run("PRAGMA \(check)", connection)
      }
    } catch {
      problems.append(error.finding)
    }
    return problems
  }

  private static func run(
    _ check: String, _ connection: Connection
  ) throws(GatebookError) -> [String] {
    let rows = try connection.rows(check)
    var problems: [String] = []
    while let row = try rows.next() {
      let line = row.text(0)
      if line != "ok" { problems.append("SQLite: \(line)") }
    }
    return problems
  }
}
