internal import Gatebook

extension FleetConnection {
  /// Begins a transaction that sees one state and changes nothing; it ends with the connection.
  func beginReading() throws(GatebookError) {
    // A sum over many books may take a while in which nothing comes.
    postgres.patience = .seconds(600)
    try run("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    try set(["work_mem"], to: "'32MB'")
  }

  /// Prefers the keys of events: the parts grow faster than the server's statistics of them.
  ///
  /// - Parameter body: Asks for events.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  func byKeys<Value>(_ body: () throws(GatebookError) -> Value) throws(GatebookError) -> Value {
    try with(Self.keySettings, "off", body)
  }

  /// Prefers the keys of events from here on.
  func preferKeys() throws(GatebookError) {
    try set(Self.keySettings, to: "'off'")
  }

  /// Lets each part be joined and summed up alone, where it lies: also on another server.
  ///
  /// - Parameter body: Asks.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  func partByPart<Value>(_ body: () throws(GatebookError) -> Value) throws(GatebookError) -> Value {
    try with(Self.partSettings, "on", body)
  }

  private func with<Value>(
    _ settings: [String], _ state: String, _ body: () throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    try set(settings, to: "'\(state)'")
    let value = try body()
    try set(settings, to: "NULL")
    return value
  }

  /// Sets them until the end of the transaction; NULL is what the server has without that.
  private func set(_ settings: [String], to value: String) throws(GatebookError) {
    let calls = settings.map { "set_config('\($0)', \(value), true)" }
    try run("SELECT \(calls.joined(separator: ", "))")
  }

  private static let keySettings = [
    "enable_seqscan", "enable_hashjoin", "enable_mergejoin", "enable_bitmapscan",
  ]
  private static let partSettings = [
    "enable_partitionwise_join", "enable_partitionwise_aggregate",
  ]
}
