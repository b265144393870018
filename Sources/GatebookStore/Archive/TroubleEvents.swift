internal import GatebookEvents

/// The events that tell what trouble an account is in: its state says that there is some, and not
/// what a server said, or for how long it wants to be left alone.
///
/// They are kept with the state; otherwise nobody could explain the state.
struct TroubleEvents {
  /// So many of an account's are kept.
  private static let most = 256
  /// So many of its last events are looked at: writers wait meanwhile.
  private static let mostRows: Int64 = 4096
  /// Includes begins, because an end may never have come.
  private static let kinds = EventKind.all([.explanatory, .begins]).union([.sessionEnded])

  private static let baselines = EventKind.all(.baseline)

  /// An event, and what caused it.
  private typealias Telling = (position: Int64, cause: Int64?)

  private let connection: Connection
  /// Those that a former archive has left, by the numbers of their accounts, the newest first.
  private let former: [Int64: [Telling]]

  init(_ connection: Connection) throws(GatebookError) {
    self.connection = connection
    var former: [Int64: [Telling]] = [:]
    let rows = try connection.rows(
      """
      SELECT e.position, k.name, e.cause, e.account
      FROM opening_event e JOIN kind k ON k.number = e.kind ORDER BY e.position DESC
      """)
    while let row = try rows.next() {
      guard let kind = EventKind(rawValue: row.text(1)), Self.kinds.contains(kind) else {
        continue
      }
      former[row.integer(3), default: []].append((row.integer(0), row.optionalInteger(2)))
    }
    self.former = former
  }

  /// Those of an account since all was well, and what caused them.
  ///
  /// - Parameter account: The account.
  /// - Returns: Positions in no order; none for an account that is well.
  /// - Throws: `storage` failures.
  func positions(of account: AccountID) throws(GatebookError) -> Set<Position> {
    guard let number = try connection.number(of: account) else { return [] }
    var found: [Telling] = []
    let rows = try connection.rows(
      """
      SELECT e.position, k.name, e.cause FROM event e JOIN kind k ON k.number = e.kind
      WHERE e.account = ?1 ORDER BY e.revision DESC LIMIT ?2
      """, number, Self.mostRows)
    while found.count < Self.most, let row = try rows.next() {
      guard let kind = EventKind(rawValue: row.text(1)) else { continue }
      // All was well then.
      if Self.baselines.contains(kind) { return Self.all(found[...]) }
      if Self.kinds.contains(kind) { found.append((row.integer(0), row.optionalInteger(2))) }
    }
    return Self.all((found + former[number, default: []]).prefix(Self.most))
  }

  private static func all(_ events: ArraySlice<Telling>) -> Set<Position> {
    Set(
      events.flatMap { [$0.position, $0.cause] }.compactMap(\.self).map(Position.init(rawValue:)))
  }
}
