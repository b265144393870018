internal import CSQLite
internal import GatebookEvents

/// SQLite's own check of the file: pages, rows and small indexes.
///
/// Those of `event` have their own, much faster one (`IndexScan`).
struct StructureCheck: Sendable {
  private(set) var findings = Findings()

  /// Looks at a file; once the task is cancelled it stops, and what it has found is of no use.
  init(of path: String) async {
    do throws(GatebookError) {
      let connection = try BookReader.open(at: path).connection
      // SQLite counts no steps within such a check; it may be interrupted by any thread.
      nonisolated(unsafe) let handle = connection.handle
      findings = await withTaskCancellationHandler {
        Self.findings(connection)
      } onCancel: {
        sqlite3_interrupt(handle)
      }
    } catch {
      findings.note(error.finding)
    }
  }

  private static func findings(_ connection: Connection) -> Findings {
    var findings = Findings()
    let checks =
      ["quick_check(20)"]
      + ["account", "kind", "session", "writer"].map { "integrity_check(\($0))" }
    do throws(GatebookError) {
      for check in checks where !Task.isCancelled {
        let lines = try connection.all("PRAGMA \(check)") { $0.text(0) }
        for line in lines where line != "ok" { findings.note("SQLite: \(line)") }
      }
    } catch {
      findings.note(error.finding)
    }
    return findings
  }
}
