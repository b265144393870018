internal import CPostgreSQL
internal import Gatebook
internal import GatebookSystem
internal import Glibc

/// One connection to a PostgreSQL server, used by one thread at a time; closed with its last
/// reference.
///
/// It waits in short turns, so a cancelled task ends within a tenth of a second. The statement that
/// the server works on is then cancelled there too, and also when ``patience`` ends.
final class PostgresConnection {
  let functions: pq_functions
  let handle: OpaquePointer
  /// How long nothing may come from the server before the connection counts as broken.
  var patience: Duration = .seconds(60)

  private static let turn: Int32 = 100

  private init(_ functions: pq_functions, _ handle: OpaquePointer) {
    self.functions = functions
    self.handle = handle
  }

  deinit { functions.PQfinish(handle) }

  /// Connects.
  ///
  /// - Parameters:
  ///   - parameters: The connection's parameters by libpq's names.
  ///   - library: libpq.
  ///   - limit: How long it may take.
  /// - Returns: The open connection.
  /// - Throws: The failure, with the server's code where one answered.
  static func open(
    _ parameters: [String: String], _ library: PostgresLibrary, limit: Duration
  ) throws(PostgresFailure) -> PostgresConnection {
    let connection = try start(parameters, library)
    let functions = library.functions
    let end = SystemTime.monotonic + limit.microseconds
    var events: Int32 = 2
    while true {
      guard !Task.isCancelled else { throw PostgresFailure(.cancelled, "cancelled") }
      guard SystemTime.monotonic < end else {
        throw PostgresFailure(.connecting, "nothing came within \(limit.words)")
      }
      guard pq_wait(functions.PQsocket(connection.handle), events, turn) != 0 else { continue }
      switch functions.PQconnectPoll(connection.handle) {
      case PGRES_POLLING_OK:
        _ = functions.PQsetnonblocking(connection.handle, 1)
        _ = functions.PQsetNoticeProcessor(connection.handle, pq_ignore_notice, nil)
        return connection
      case PGRES_POLLING_READING: events = 1
      case PGRES_POLLING_WRITING: events = 2
      default: throw connection.connectFailure
      }
    }
  }

  /// Begins to connect, so that libpq says which parameters it uses; nothing is sent yet.
  static func start(
    _ parameters: [String: String], _ library: PostgresLibrary
  ) throws(PostgresFailure) -> PostgresConnection {
    let functions = library.functions
    var names = parameters.keys.sorted().map { strdup($0) }
    var values = parameters.keys.sorted().map { strdup(parameters[$0] ?? "") }
    defer {
      for text in names + values { free(text) }
    }
    names.append(nil)
    values.append(nil)
    let handle = names.withUnsafeBufferPointer { names in
      values.withUnsafeBufferPointer { values in
        names.withMemoryRebound(to: UnsafePointer<CChar>?.self) { names in
          values.withMemoryRebound(to: UnsafePointer<CChar>?.self) { values in
            functions.PQconnectStartParams(names.baseAddress, values.baseAddress, 0)
          }
        }
      }
    }
    guard let handle else { throw PostgresFailure(.connecting, "out of memory") }
    let connection = PostgresConnection(functions, handle)
    // With their codes: a failed login has no result that could be asked for it.
    _ = functions.PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    guard functions.PQstatus(handle) != CONNECTION_BAD else { throw connection.connectFailure }
    return connection
  }

  /// The value of a parameter as libpq uses it, from the environment and a service file too.
  func parameter(_ name: String) -> String? {
    guard let options = functions.PQconninfo(handle) else { return nil }
    defer { functions.PQconninfoFree(options) }
    var place = options
    while let keyword = place.pointee.keyword {
      if String(cString: keyword) == name {
        return place.pointee.val.map { String(cString: $0) }
      }
      place += 1
    }
    return nil
  }

  /// Whether the server asks for a password, and none was given.
  var needsPassword: Bool { functions.PQconnectionNeedsPassword(handle) != 0 }

  /// The server's version: 150018 is 15.18.
  var serverVersion: Int32 { functions.PQserverVersion(handle) }

  /// What the server keeps of a password, so that the password itself is in no log.
  func encrypted(_ password: String, of role: String) throws(PostgresFailure) -> String {
    guard let text = functions.PQencryptPasswordConn(handle, password, role, "scram-sha-256") else {
      throw broken
    }
    defer { functions.PQfreemem(text) }
    return String(cString: text)
  }

  private var connectFailure: PostgresFailure {
    let message = errorMessage
    var failure = PostgresFailure(.connecting, Self.firstLine(message))
    failure.state = Self.state(in: message)
    if needsPassword { failure.state = "28P01" }
    return failure
  }

  /// The code in `FATAL:  28P01: password authentication failed`.
  private static func state(in message: String) -> String? {
    guard let fatal = message.firstRange(of: "FATAL:  ") else { return nil }
    let rest = message[fatal.upperBound...]
    let code = rest.prefix(5)
    guard code.utf8.count == 5, rest.dropFirst(5).first == ":",
      code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
    else { return nil }
    return String(code)
  }

  private static func firstLine(_ message: String) -> String {
    String(message.split(separator: "\n").first ?? "")
  }

  // MARK: Statements

  /// Runs one statement and returns its answer.
  ///
  /// - Parameters:
  ///   - sql: The statement; `$1` is its first parameter, `$2` its second one.
  ///   - values: The parameters.
  /// - Returns: The rows of the answer, if it brings some.
  /// - Throws: The failure. After one of a statement the transaction has to be rolled back.
  @discardableResult
  func run(_ sql: String, _ values: PostgresValue...) throws(PostgresFailure) -> PostgresRows {
    try send(sql, values)
    return try answer()
  }

  /// Runs many statements without parameters, and waits for all of them.
  func runScript(_ sql: String) throws(PostgresFailure) {
    guard functions.PQsendQuery(handle, sql) == 1 else { throw broken }
    try flush()
    _ = try answer()
  }

  /// Sends a statement.
  func send(_ sql: String, _ values: [PostgresValue]) throws(PostgresFailure) {
    let types = values.map(\.type)
    let lengths = values.map { Int32($0.bytes?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: values.count)
    // Side by side: a parameter is where it lies. One byte more, so that each has a place.
    let packed = values.compactMap(\.bytes).flatMap(\.self) + [0]
    let sent = packed.withUnsafeBytes { raw in
      var place = raw.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = values.map { value -> UnsafePointer<CChar>? in
        guard let bytes = value.bytes else { return nil }
        defer { place = place?.advanced(by: bytes.count) }
        return place
      }
      return functions.PQsendQueryParams(
        handle, sql, Int32(values.count), types, pointers, lengths, formats, 1)
    }
    guard sent == 1 else { throw broken }
    try flush()
  }

  /// Reads the answer to a statement until it is complete.
  func answer() throws(PostgresFailure) -> PostgresRows {
    var found: PostgresRows?
    var failure: PostgresFailure?
    while let result = try next() {
      switch functions.PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
        found = PostgresRows(functions, result)
      case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
        // The copy itself is what follows.
        return PostgresRows(functions, result)
      default:
        failure = failure ?? self.failure(result)
        functions.PQclear(result)
      }
    }
    if let failure { throw failure }
    guard let found else { throw broken }
    return found
  }

  /// The next result of the statement that runs; `nil` after the last one.
  private func next() throws(PostgresFailure) -> OpaquePointer? {
    try wait { functions.PQisBusy(handle) == 0 }
    return functions.PQgetResult(handle)
  }

  /// Sends what libpq holds.
  func flush() throws(PostgresFailure) {
    let end = SystemTime.monotonic + patience.microseconds
    while true {
      let rest = functions.PQflush(handle)
      if rest == 0 { return }
      guard rest > 0 else { throw broken }
      // A server that has much to say reads nothing before that is taken.
      let came = pq_wait(functions.PQsocket(handle), 3, Self.turn)
      if came & 1 != 0, functions.PQconsumeInput(handle) == 0 { throw broken }
      try checkTurn(came, end)
    }
  }

  /// Reads what comes until a condition holds.
  func wait(until isThere: () -> Bool) throws(PostgresFailure) {
    var end = SystemTime.monotonic + patience.microseconds
    while !isThere() {
      let came = pq_wait(functions.PQsocket(handle), 1, Self.turn)
      if came != 0 {
        guard functions.PQconsumeInput(handle) == 1 else { throw broken }
        end = SystemTime.monotonic + patience.microseconds
      }
      try checkTurn(came, end)
    }
  }

  private func checkTurn(_ came: Int32, _ end: Int64) throws(PostgresFailure) {
    if Task.isCancelled {
      cancel()
      throw PostgresFailure(.cancelled, "cancelled")
    }
    guard came != 0 || SystemTime.monotonic < end else {
      // The statement may wait for a lock, and others would wait for that one.
      cancel()
      throw PostgresFailure(.connection, "nothing came within \(patience.words)")
    }
  }

  /// Asks the server to end the statement that it works on.
  private func cancel() { CancelRequest(functions, of: handle)?.send() }

  /// What a failed result says: the server's code and its first line alone, for details can hold
  /// the values of a row.
  func failure(_ result: OpaquePointer) -> PostgresFailure {
    func field(_ code: UInt8) -> String? {
      functions.PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
    }
    let state = field(UInt8(ascii: "C"))
    guard functions.PQstatus(handle) == CONNECTION_OK else {
      return PostgresFailure(.connection, state: state, field(UInt8(ascii: "M")) ?? "it broke")
    }
    return PostgresFailure(.statement, state: state, field(UInt8(ascii: "M")) ?? "unknown")
  }

  private var errorMessage: String {
    functions.PQerrorMessage(handle).map { String(cString: $0) } ?? ""
  }

  /// That the connection cannot be used any more.
  var broken: PostgresFailure {
    PostgresFailure(.connection, Self.firstLine(errorMessage))
  }
}
