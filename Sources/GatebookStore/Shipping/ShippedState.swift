internal import GatebookCrypto
package import GatebookEvents

/// A row of what a book knows beside its events, by names and identities.
package struct ShippedRow: Sendable {
  /// Such as `account`, `session` or `roster`.
  package let part: String
  /// An identity, a number, or nothing.
  package let name: [UInt8]
  /// Canonical JSON, or what its part says.
  package let content: [UInt8]

  /// Makes a row.
  package init(part: String, name: [UInt8], content: [UInt8]) {
    self.part = part
    self.name = name
    self.content = content
  }

  /// What the leaf of a row of `opening_row` is made of ("Event format").
  package var canonical: [UInt8] {
    BaselineState.Row(part: part, name: name, state: content).canonical
  }
}

extension BookReader {
  /// The present of all accounts and sessions, and who is current.
  ///
  /// - Returns: The rows, and the version of the folds that made them.
  /// - Throws: `storage` failures.
  package func presentRows() throws(GatebookError) -> (rows: [ShippedRow], folds: Int64) {
    try inSnapshot { () throws(GatebookError) in
      let rows = try ProjectionRows(connection).stored().map {
        ShippedRow(part: $0.row.part, name: $0.row.name, content: $0.row.state)
      }
      return (rows, try connection.integer("SELECT folds FROM head WHERE one = 1"))
    }
  }

  /// The state that a book continues from whose past is archived or lost.
  ///
  /// Beside the rows of that state there are those of four parts:
  ///
  /// - `opening`: the record of where the book begins.
  /// - `accounts`: all ids, side by side in the order of the book.
  /// - `subtree`: roots of the tree up to there.
  /// - `opening_event`: its leaf and its canonical bytes, by its position.
  ///
  /// - Parameter hasPersonal: Whether events with encrypted facts are among them.
  /// - Returns: The rows; none for a book that has all of its past.
  /// - Throws: `storage` failures.
  package func pastRows(hasPersonal: Bool) throws(GatebookError) -> [ShippedRow] {
    try inSnapshot { () throws(GatebookError) in
      guard let baseline = try Baseline.read(connection) else { return [] }
      let rows = try ShippedRow.state(baseline, connection)
      return hasPersonal ? try rows + ShippedRow.events(connection).map(\.row) : rows
    }
  }
}

extension ShippedRow {
  /// The rows of the state that a book continues from, without the events that it names.
  ///
  /// - Parameters:
  ///   - baseline: Where the book begins.
  ///   - connection: The book.
  ///   - more: What else the row `opening` says.
  /// - Returns: The rows, as ``BookReader/pastRows(hasPersonal:)`` says.
  /// - Throws: `storage` failures.
  static func state(
    _ baseline: Baseline, _ connection: Connection, adding more: [(String, FactValue)] = []
  ) throws(GatebookError) -> [ShippedRow] {
    var facts = baseline.facts
    for (name, value) in more { facts[name] = value }
    var rows = [ShippedRow(part: PulledPast.opening, name: [], content: facts.encoded)]
    rows += try connection.all("SELECT part, name, state FROM opening_row ORDER BY part, name") {
      ShippedRow(part: $0.text(0), name: $0.bytes(1), content: $0.bytes(2))
    }
    rows.append(
      ShippedRow(
        part: PulledPast.accounts, name: [],
        content: try connection.all("SELECT id FROM account ORDER BY number") { $0.bytes(0) }
          .flatMap(\.self)))
    return rows + (try SubtreeRun.all(upTo: baseline.floor, connection).map(\.row))
  }

  /// The events that a state names.
  ///
  /// - Parameter connection: The book.
  /// - Returns: Each with whether its leaf covers it as it is here: not one that came without its
  ///   encrypted facts.
  /// - Throws: `storage` failures.
  static func events(
    _ connection: Connection
  ) throws(GatebookError) -> [(row: ShippedRow, isWhole: Bool)] {
    let hash = SHA256()
    var names = CanonicalNames(connection)
    var canonical = CanonicalEvent()
    var found: [(row: ShippedRow, isWhole: Bool)] = []
    let events = try connection.rows(
      "SELECT \(EventLeaves.columns) FROM opening_event ORDER BY position")
    while let row = try events.next() {
      guard try names.write(row, into: &canonical) else {
        throw .storageDamaged("An event that the state refers to cannot be read.")
      }
      found.append(
        (
          ShippedRow(
            part: PulledPast.event, name: BaselineState.bytes(row.integer(0)),
            content: row.bytes(13) + canonical.bytes),
          hash.leaf(canonical.bytes).bytes == row.bytes(13)
        ))
    }
    return found
  }

  /// Whether an event that a state names has encrypted facts; `nil` for any other row.
  package var hasSealedFacts: Bool? {
    guard part == PulledPast.event else { return nil }
    return CanonicalParts(Array(content.dropFirst(Digest.count))).map { $0.sealed != nil }
  }
}

extension Baseline {
  /// The row of `opening`, by the names of its columns; bytes are hexadecimal.
  var facts: Facts {
    [
      "floor": .integer(floor), "first": .integer(first), "root": .text(Hex.encode(root.bytes)),
      "frontier": .text(Hex.encode(frontier.bytes)), "latest": .integer(latest),
      "state": .text(Hex.encode(state.bytes)), "recovered": .integer(isRecovered ? 1 : 0),
      "proven": .integer(isProven ? 1 : 0),
    ]
  }

  /// Reads what `facts` makes; `nil` for anything else.
  init?(_ facts: Facts) {
    func bytes(_ name: String) -> [UInt8] { facts[name]?.text.flatMap { Hex.decode($0) } ?? [] }
    guard let floor = facts["floor"]?.integer, (1...BookRecovery.maximum).contains(floor),
      let first = facts["first"]?.integer, (1...floor + 1).contains(first),
      let latest = facts["latest"]?.integer, let root = Digest(bytes: bytes("root")),
      let state = Digest(bytes: bytes("state")),
      let frontier = Frontier(size: floor, bytes: bytes("frontier"))
    else { return nil }
    self.init(
      floor: floor, first: first, frontier: frontier, root: root, latest: latest, state: state,
      isRecovered: facts["recovered"]?.integer != 0, isProven: facts["proven"]?.integer != 0)
  }
}
