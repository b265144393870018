import CSQLite
import Testing

@testable import GatebookStore

/// The plans of the statements that a piece of code runs, in SQLite's own words.
final class QueryPlan {
  private var statements: [String] = []

  /// Runs the code on a connection and explains each statement that it ran.
  static func of(_ connection: Connection, _ body: () throws -> Void) throws -> [[String]] {
    let plan = QueryPlan()
    let context = Unmanaged.passUnretained(plan).toOpaque()
    sqlite3_trace_v2(
      connection.handle, UInt32(SQLITE_TRACE_STMT),
      { _, context, statement, _ in
        guard let context, let statement, let text = sqlite3_sql(OpaquePointer(statement)) else {
          return 0
        }
        Unmanaged<QueryPlan>.fromOpaque(context).takeUnretainedValue().statements.append(
          String(cString: text))
        return 0
      }, context)
    defer { sqlite3_trace_v2(connection.handle, 0, nil, nil) }
    try body()
    sqlite3_trace_v2(connection.handle, 0, nil, nil)
    return try plan.statements.filter { $0.contains("SELECT") }.map { sql in
      let statement = try connection.statement("EXPLAIN QUERY PLAN \(sql)")
      defer { statement.reset() }
      var lines: [String] = []
      while try statement.step() { lines.append(statement.text(3)) }
      return lines
    }
  }
}
