internal import GatebookEvents

/// What the leaf says instead of the numbers in a row: names and identities.
struct CanonicalNames {
  /// The columns of a row, in the order in which it is written.
  static let columns =
    "position, id, account, revision, session, kind, version, at, cause, writer, process, data, sealed"

  private let connection: Connection
  private var kinds = RecentNames<[UInt8]>()
  private var writers = RecentNames<[UInt8]>()
  private var accounts = RecentNames<AccountID>()
  private var sessions = RecentNames<SessionID>()

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Writes the canonical bytes of a row of `event`, all columns but the leaf in their order.
  ///
  /// - Returns: `false` when a number leads nowhere.
  mutating func write(
    _ row: some RowValues, into canonical: inout CanonicalEvent
  ) throws(GatebookError) -> Bool {
    guard let id = EventID(bytes: row.raw(1)), let kind = try kind(row.integer(5)),
      let writer = try writer(row.integer(9))
    else { return false }
    var account: AccountID?
    let stream = row.integer(2)
    if stream != 0 {
      account = try accounts.identity(stream, "account", connection)
      guard account != nil else { return false }
    }
    var session: SessionID?
    if let number = row.optionalInteger(4) {
      session = try sessions.identity(number, "session", connection)
      guard session != nil else { return false }
    }
    canonical.write(
      CanonicalEvent.Envelope(
        position: row.integer(0), id: id, account: account, revision: row.integer(3),
        session: session, version: row.integer(6), at: row.integer(7),
        cause: row.optionalInteger(8), process: row.integer(10)),
      kind: kind, writer: writer, data: row.raw(11), sealed: row.optionalRaw(12))
    return true
  }

  private mutating func kind(_ number: Int64) throws(GatebookError) -> [UInt8]? {
    if let kind = kinds[number] { return kind }
    kinds[number] = try connection.first("SELECT name FROM kind WHERE number = ?1", number) {
      CanonicalEvent.describe(kind: $0.text(0))
    }
    return kinds[number]
  }

  private mutating func writer(_ number: Int64) throws(GatebookError) -> [UInt8]? {
    if let writer = writers[number] { return writer }
    writers[number] = try connection.first(
      "SELECT program, version, installation FROM writer WHERE number = ?1", number
    ) { $0.program(at: 0).map(CanonicalEvent.describe) }
    return writers[number]
  }
}
