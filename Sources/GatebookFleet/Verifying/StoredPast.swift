internal import Gatebook
internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookStore

/// What a history begins with that has not all of its past, or what followed an archive or a
/// recovery: the rows of `gatebook.past`.
///
/// A history that forgot events begins with rows of the fleet's own. No event names them: they must
/// agree with themselves, and every later head covers their tree.
struct StoredPast {
  /// The last event of the state.
  private let floor: Int64
  /// The first event that the book itself had.
  private(set) var first: Int64 = 0
  /// The tree over the events up to `floor`.
  private(set) var tree = ShippedTree()
  /// The root that the first event after `floor` names.
  private(set) var root: Digest?
  /// The root over the rows of the state, which that event names too.
  private(set) var state: Digest?
  /// Whether events may be lost.
  private(set) var isRecovered = false
  /// Whether the tree is the original one, and not one that a recovery restarted.
  private(set) var isProven = true
  /// The last number of each account's events.
  private(set) var streams = StreamOrder()
  /// The book's public key, if the fleet made the state.
  private(set) var checkpointKey: [UInt8]?
  /// What the state says of accounts and sessions, for a fold that continues from it.
  ///
  /// It is `nil` where nobody asked, and where it cannot be read. It is also `nil` where another
  /// version of the folds made it for the fleet.
  private(set) var fold: ShippedFold?
  /// How many events of each kind on each day the fleet forgot.
  private(set) var counts: [(day: Int64, kind: [UInt8], events: Int64)] = []
  private(set) var findings = HistoryFindings()

  private var rows = ShippedTree()
  private var hasOpening = false
  /// The events that the state names, by their positions.
  private var named: [Int64: Digest] = [:]
  private var hasEvents = false
  /// The rows of accounts and sessions, if they are folded; `nil` if not.
  private var present: [ShippedRow]?
  /// The version of the folds that made the state of a fleet.
  private var folds: Int64?
  private var subtrees = ShippedSubtrees()
  private let hash = SHA256()

  /// Reads what a history begins with.
  ///
  /// - Parameters:
  ///   - head: The history.
  ///   - book: The book.
  ///   - rows: Whether what the book sent, or what the fleet made.
  ///   - folds: Whether a fold continues from it.
  ///   - connection: The fleet.
  /// - Returns: What was found; where it cannot be used, the findings say so.
  /// - Throws: `fleet` failures.
  static func read(
    _ head: HistoryHead, _ book: BookID, _ rows: PastRows, folds: Bool = false,
    _ connection: FleetConnection
  ) throws(GatebookError) -> StoredPast {
    var past = StoredPast(floor: rows == .start ? head.forgotten : head.floor)
    let isOfFleet = rows == .start
    if folds { past.present = [] }
    try connection.talk { (postgres) throws(PostgresFailure) in
      try postgres.copyOut(
        """
        COPY (SELECT part, name, content FROM gatebook.past WHERE book = '\(book)'
          AND branch = \(head.branch) AND \(isOfFleet ? "part LIKE 'start.%'" : rows.condition)
          ORDER BY part, name) TO STDOUT (FORMAT binary)
        """
      ) { piece in
        guard var fields = CopyFields(piece, count: 3) else { return }
        let part = String(
          decoding: fields.content().dropFirst(rows.rawValue.utf8.count), as: UTF8.self)
        let name = Array(fields.content())
        if isOfFleet, part.hasPrefix(Self.counted) {
          past.count(part, name, fields.content())
        } else {
          past.take(part, name, fields.content())
        }
      }
    }
    past.finish()
    if !isOfFleet || past.folds == ShippedFold.version {
      past.fold = past.present.flatMap { ShippedFold($0) }
    }
    return past
  }

  private init(floor: Int64) {
    self.floor = floor
  }

  private static let counted = "counted."

  /// A counter of forgotten events: by day and kind, or by account and kind, which no check needs.
  private mutating func count(
    _ part: String, _ name: [UInt8], _ content: UnsafeRawBufferPointer
  ) {
    guard part == "counted.day" else { return }
    guard name.count >= 4, let events = Int64(String(decoding: content, as: UTF8.self)), events > 0
    else { return findings.note("A counter of forgotten events cannot be read.") }
    let day = name.withUnsafeBytes { Int32(bigEndian: $0.loadUnaligned(as: Int32.self)) }
    counts.append((Int64(day), Array(name[4...]), events))
  }

  private mutating func take(
    _ part: String, _ name: [UInt8], _ content: UnsafeRawBufferPointer
  ) {
    switch part {
    case "opening": takeOpening(Facts(decoding: content))
    case "opening_event": takeEvent(name, content)
    case "subtree": takeSubtrees(name, content)
    // The order of the accounts, which is no part of the state: no hash covers it.
    case "accounts": break
    default:
      let row = ShippedRow(part: part, name: name, content: Array(content))
      rows.append(hash.leaf(row.canonical))
      if ShippedFold.parts.contains(part) { present?.append(row) }
      if part == "stream", let revision = Facts(decoding: content)?["revision"]?.integer {
        streams.set(AccountID(bytes: name), to: revision)
      }
      if part == "event", name.count == 8 {
        let leaf = Facts(decoding: content)?["leaf"]?.text.flatMap { Hex.decode($0) }
        named[Self.position(name)] = leaf.flatMap { Digest(bytes: $0) }
      }
    }
  }

  private mutating func takeOpening(_ facts: Facts?) {
    guard let facts, facts["floor"]?.integer == floor,
      let first = facts["first"]?.integer, (1...floor + 1).contains(first),
      let root = Self.digest(facts["root"]), let state = Self.digest(facts["state"]),
      let tree = (facts["frontier"]?.text).flatMap({ Hex.decode($0) }).flatMap({
        ShippedTree(ofFirst: floor, frontier: $0)
      })
    else { return }
    self.first = first
    (self.root, self.state, self.tree) = (root, state, tree)
    isRecovered = facts["recovered"]?.integer != 0
    isProven = facts["proven"]?.integer != 0
    checkpointKey = HistoryHead.key(in: facts)
    folds = facts["folds"]?.integer
    hasOpening = true
  }

  /// An event beside the state: its leaf, then its canonical bytes, which begin with a version and
  /// its position.
  private mutating func takeEvent(_ name: [UInt8], _ content: UnsafeRawBufferPointer) {
    hasEvents = true
    let position = Self.position(name)
    let canonical = UnsafeRawBufferPointer(rebasing: content.dropFirst(Digest.count))
    let leaf = Digest(bytes: UnsafeRawBufferPointer(rebasing: content.prefix(Digest.count)))
    guard let leaf, hash.leaf(canonical) == leaf, named.removeValue(forKey: position) == leaf,
      canonical.dropFirst().prefix(8).elementsEqual(name)
    else {
      return findings.note(
        at: position,
        "The event at position \(position), which the state refers to, was changed.")
    }
  }

  /// Roots of subtrees of one level, side by side: the level and the number of the first one.
  private mutating func takeSubtrees(_ name: [UInt8], _ content: UnsafeRawBufferPointer) {
    guard name.count == 16, content.count % Digest.count == 0 else {
      subtrees.isRight = false
      return
    }
    let level = Self.position(Array(name[..<8]))
    for (index, start) in stride(from: 0, to: content.count, by: Digest.count).enumerated() {
      let root = Digest(
        bytes: UnsafeRawBufferPointer(rebasing: content[start..<start + Digest.count]))
      if let root { subtrees.take(root, level, Self.position(Array(name[8...])) + Int64(index)) }
    }
  }

  private mutating func finish() {
    guard hasOpening else {
      return findings.note("The record of where the history begins is missing, or was changed.")
    }
    if tree.rootDigest != root {
      findings.note("The tree that the book continues from does not match its root.")
    }
    if rows.rootDigest != state {
      findings.note("The state that the book continues from was changed.")
    }
    // Recoveries of older versions left damaged ones where they restarted the tree.
    if isProven, !subtrees.make(tree) {
      findings.note("The stored subtrees do not belong to the tree that the book continues from.")
    }
    // They are not sent without personal facts.
    if hasEvents, let missing = named.keys.min() {
      findings.note(
        at: missing, "The event at position \(missing), which the state refers to, is missing.")
    }
  }

  /// Whether the record of where the history begins could be read.
  var isReadable: Bool { hasOpening }

  private static func digest(_ fact: FactValue?) -> Digest? {
    fact?.text.flatMap { Hex.decode($0) }.flatMap { Digest(bytes: $0) }
  }

  private static func position(_ name: [UInt8]) -> Int64 {
    name.reduce(0) { $0 << 8 | Int64($1) }
  }
}
