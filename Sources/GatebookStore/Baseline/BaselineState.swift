internal import GatebookCrypto
internal import GatebookEvents

/// The state of a whole book after one event, row by row, by names and identities: what a book
/// continues when its past is an archive.
struct BaselineState: Sendable {
  /// One fact of the state.
  struct Row: Sendable {
    let part: String
    let name: [UInt8]
    /// Canonical JSON.
    let state: [UInt8]

    /// What its leaf is made of ("Event format").
    var canonical: [UInt8] {
      var bytes: [UInt8] = []
      Self.append(part.utf8.count, 2, part.utf8, to: &bytes)
      Self.append(name.count, 2, name, to: &bytes)
      Self.append(state.count, 4, state, to: &bytes)
      return bytes
    }

    private static func append(
      _ count: Int, _ width: Int, _ content: some Sequence<UInt8>, to bytes: inout [UInt8]
    ) {
      for index in 1...width {
        bytes.append(UInt8(truncatingIfNeeded: count >> (8 * (width - index))))
      }
      bytes.append(contentsOf: content)
    }
  }

  static let account = "account"
  static let event = "event"
  static let roster = "roster"
  static let session = "session"
  static let stream = "stream"
  /// The parts of the counters, by what they count.
  static let tallies = [
    TallyKey.book: "tally.book", TallyKey.day: "tally.day", TallyKey.account: "tally.account",
  ]

  /// In the order of `part`, then of `name`.
  let rows: [Row]

  init(_ rows: [Row]) {
    self.rows = rows.sorted { left, right in
      left.part == right.part
        ? left.name.lexicographicallyPrecedes(right.name)
        : left.part.utf8.lexicographicallyPrecedes(right.part.utf8)
    }
  }

  /// The state that a log makes.
  ///
  /// - Parameters:
  ///   - fold: All of the log, folded.
  ///   - tallies: All of its events, counted.
  ///   - connection: The book with that log.
  ///   - isWithheld: Whether events that a former state names may be absent: then their leaves are
  ///     taken from that state.
  ///   - skipsMissing: Whether a named event that is not there is left out: in a book that was
  ///     damaged.
  ///   - telling: The events that it names beside those of the projections; `nil` for those that
  ///     tell of the trouble that accounts are in.
  /// - Throws: `storage` failures; `storage.damaged` for a named event that is not there.
  init(
    _ fold: BookFold, _ tallies: [TallyKey: Int64], _ connection: Connection,
    isWithheld: Bool = false, skipsMissing: Bool = false, telling: Set<Position>? = nil
  ) throws(GatebookError) {
    var rows = Self.projections(of: fold)
    rows += try Self.streams(connection)
    rows += try Self.tallies(tallies, connection)
    let baseline = try Baseline.read(connection)
    let named = Set(fold.accounts.values.flatMap(\.namedEvents))
    let telling = if let telling { telling } else { try Self.telling(fold, connection) }
    for position in named.union(telling) {
      let known = try Self.leaf(position, connection)
      let former = known == nil && isWithheld ? try Self.named(position, connection) : nil
      guard let leaf = known ?? former else {
        if skipsMissing || !named.contains(position) { continue }
        if let baseline, try baseline.hasLost(position, connection) { continue }
        throw .storageDamaged("A stored state refers to an event that does not exist.")
      }
      rows.append(
        Row(Self.event, Self.bytes(position.rawValue), ["leaf": .text(Hex.encode(leaf))]))
    }
    self.init(rows)
  }

  /// A state whose accounts, sessions and roster are as a book's projections hold them: another
  /// version folded those, and what they name.
  ///
  /// - Parameters:
  ///   - other: The state as this version makes it.
  ///   - connection: The book.
  ///   - events: The events that are named.
  /// - Throws: `storage` failures.
  init(
    _ other: BaselineState, asStoredIn connection: Connection, naming events: Set<Position>
  ) throws(GatebookError) {
    let folded = [Self.account, Self.session, Self.roster]
    var rows = other.rows.filter { row in
      !folded.contains(row.part)
        && (row.part != Self.event
          || events.contains(Position(rawValue: Self.integer(row.name))))
    }
    rows += try ProjectionRows(connection).stored().map(\.row).filter {
      $0.part == Self.roster || !$0.name.isEmpty
    }
    self.init(rows)
  }

  /// The rows of the accounts, the sessions and the roster.
  static func projections(of fold: BookFold) -> [Row] {
    var rows = fold.accounts.map {
      Row(part: Self.account, name: $0.key.bytes, state: $0.value.encoded)
    }
    rows += fold.sessions.map {
      Row(part: Self.session, name: $0.key.bytes, state: $0.value.encoded)
    }
    if fold.changes.roster {
      rows.append(Row(part: Self.roster, name: [], state: fold.roster.encoded))
    }
    return rows
  }

  /// The root over all rows.
  func root(_ hash: SHA256) -> Digest {
    Frontier(rows.lazy.map { hash.leaf($0.canonical) }, hash).root(hash)
  }

  /// The events that it names.
  var events: [Int64] {
    rows.filter { $0.part == Self.event }.map { Self.integer($0.name) }
  }

  static func bytes(_ number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  static func integer(_ bytes: [UInt8]) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }

  /// What tells of the trouble that accounts are in.
  private static func telling(
    _ fold: BookFold, _ connection: Connection
  ) throws(GatebookError) -> Set<Position> {
    let events = try TroubleEvents(connection)
    var telling: Set<Position> = []
    for (account, state) in fold.accounts where state.state != .ended(.erased) {
      telling.formUnion(try events.positions(of: account))
    }
    return telling
  }

  /// The last revisions of all streams.
  private static func streams(_ connection: Connection) throws(GatebookError) -> [Row] {
    let accounts = try connection.all("SELECT number, id FROM account ORDER BY number") {
      (number: $0.integer(0), name: $0.bytes(1))
    }
    let former = BaselineRows(connection)
    var rows: [Row] = []
    for (number, name) in [(0, [])] + accounts {
      let revision = try former.lastRevision(of: number)
      if revision > 0 { rows.append(Row(Self.stream, name, ["revision": .integer(revision)])) }
    }
    return rows
  }

  private static func tallies(
    _ tallies: [TallyKey: Int64], _ connection: Connection
  ) throws(GatebookError) -> [Row] {
    let names = EventNames(connection)
    var found: [TallyKey: Facts] = [:]
    var kinds: [Int64: String] = [:]
    for (key, count) in tallies {
      let kind = if let known = kinds[key.kind] { known } else { try names.kind(key.kind) }
      kinds[key.kind] = kind
      found[TallyKey(part: key.part, number: key.number, kind: 0), default: [:]][kind] =
        .integer(count)
    }
    var rows: [Row] = []
    for (key, counts) in found {
      var name: [UInt8] = []
      if key.part == TallyKey.day { name = bytes(key.number) }
      if key.part == TallyKey.account, key.number != 0 {
        name = try names.account(key.number)?.bytes ?? []
      }
      rows.append(Row(Self.tallies[key.part] ?? "", name, counts))
    }
    return rows
  }

  private static func leaf(
    _ position: Position, _ connection: Connection
  ) throws(GatebookError) -> [UInt8]? {
    try connection.first(
      """
      SELECT leaf FROM event WHERE position = ?1
      UNION ALL SELECT leaf FROM opening_event WHERE position = ?1
      """, position
    ) { $0.bytes(0) }
  }

  /// The leaf of an event that the former state names.
  private static func named(
    _ position: Position, _ connection: Connection
  ) throws(GatebookError) -> [UInt8]? {
    try connection.first(
      "SELECT state FROM opening_row WHERE part = ?1 AND name = ?2", Self.event,
      Self.bytes(position.rawValue)
    ) { Facts(decoding: $0.raw(0))?["leaf"]?.text.flatMap { Hex.decode($0) } } ?? nil
  }
}

extension BaselineState.Row {
  init(_ part: String, _ name: [UInt8], _ facts: Facts) {
    self.init(part: part, name: name, state: facts.encoded)
  }
}
