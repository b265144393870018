internal import GatebookCrypto
internal import GatebookEvents

/// What can be verified of a book's beginning without its archive: that everything about it agrees
/// with its first own event, which the tree covers.
struct BaselineCheck {
  private(set) var baseline: Baseline?
  private(set) var continuation: Continuation?
  private(set) var findings = Findings()
  /// Whether the log begins with the book's first event, and nothing says otherwise.
  private(set) var hasAllOfPast = false
  /// The version of the folds that made the state; `nil` where the book's first own event tells
  /// none.
  private(set) var folds: Int64?
  /// What the indexes must hold of the events up to the floor.
  private(set) var entries = IndexEntries()
  private let hash = SHA256()

  init(_ reader: BookReader) {
    do throws(GatebookError) {
      baseline = try Baseline.read(reader.connection)
      guard let baseline else {
        try checkCreated(reader)
        if try LostEvents(reader.connection).first() != nil { findings.note(Self.wrongLosses) }
        return
      }
      guard baseline.floor <= Baseline.mostEvents(inFileOf: try reader.bytes()) else {
        throw .storageDamaged("The record of where the book begins is damaged.")
      }
      continuation = try reader.continuation()
      try check(baseline, reader)
    } catch {
      findings.note(error.finding)
    }
  }

  private mutating func check(
    _ baseline: Baseline, _ reader: BookReader
  ) throws(GatebookError) {
    let connection = reader.connection
    if baseline.frontier.root(hash) != baseline.root {
      findings.note("The tree that the book continues from does not match its root.")
    }
    if try BaselineRows(connection).root(hash) != baseline.state {
      findings.note("The state that the book continues from was changed.")
    }
    try checkEvents(connection)
    // Older versions left damaged ones of archived runs where the tree was restarted.
    if baseline.isProven || continuation?.isBound == true {
      try checkSubtrees(baseline, connection)
    }
    // No event of the book names a state that a fleet made of forgotten events.
    let isOfFleet = PulledMark.forgotten(reader.row) == baseline.floor
    let first = isOfFleet ? nil : try checkFirst(baseline, reader)
    folds = first?.facts(of: BookContinued.self)?.folds
    guard baseline.isRecovered else {
      // Only a recovery loses events, and says so.
      if continuation?.lost.isEmpty == false {
        findings.note(Self.wrongLosses)
      }
      return
    }
    var past = RecoveredPart(baseline, connection)
    // What a recovery kept is not compared once the first of it is forgotten.
    if let event = first?.facts(of: BookRecovered.self), let continuation, !continuation.isForgotten
    {
      past.compare(with: event, continuation)
    }
    entries = past.entries
    findings.add(past.findings)
  }

  /// The events beside the state must be those that it names.
  private mutating func checkEvents(_ connection: Connection) throws(GatebookError) {
    var named: [Int64: [UInt8]] = [:]
    let states = try connection.rows("SELECT name, state FROM opening_row WHERE part = 'event'")
    while let row = try states.next() {
      named[BaselineState.integer(row.bytes(0))] =
        Facts(decoding: row.raw(1))?["leaf"]?.text.flatMap { Hex.decode($0) } ?? []
    }
    var leaves = EventLeaves(connection)
    let rows = try connection.rows(
      "SELECT \(CanonicalNames.columns) FROM opening_event ORDER BY position")
    while let row = try rows.next() {
      let position = row.integer(0)
      guard let leaf = named.removeValue(forKey: position),
        try leaves.leaf(of: row)?.bytes == leaf
      else {
        findings.note(
          "The event at position \(position), which the state refers to, was changed.",
          firstAt: position
        )
        continue
      }
    }
    if let missing = named.keys.min() {
      findings.note(
        "The event at position \(missing), which the state refers to, is missing.", firstAt: missing
      )
    }
  }

  /// The stored subtrees up to the floor must make the tree that the book continues.
  private mutating func checkSubtrees(
    _ baseline: Baseline, _ connection: Connection
  ) throws(GatebookError) {
    var tree = Frontier()
    var large: [Frontier.Subtree] = []
    let rows = try connection.rows(
      "SELECT root FROM subtree WHERE level = 8 AND number < ?1 ORDER BY number",
      baseline.floor >> 8
    )
    while let row = try rows.next() {
      guard let root = Digest(bytes: row.raw(0)) else { break }
      tree.append(root, level: 8, hash) { large.append($0) }
    }
    let stored = PartialTree(connection)
    var isRight = tree.size == baseline.floor & ~0xFF
    for subtree in large where try stored.subtree(subtree.level, subtree.number) != subtree.root {
      isRight = false
    }
    if !isRight || !tree.matches(baseline.frontier) {
      findings.note("The stored subtrees do not belong to the tree that the book continues from.")
    }
  }

  /// The first event after the floor says what the book continues.
  ///
  /// - Returns: It; `nil` where it does not.
  private mutating func checkFirst(
    _ baseline: Baseline, _ reader: BookReader
  ) throws(GatebookError) -> RecordedEvent? {
    let position = Position(rawValue: baseline.floor + 1)
    let event = try reader.event(at: position)
    let kind: EventKind = baseline.isRecovered ? .bookRecovered : .bookContinued
    // Both kinds say these under the same names.
    guard let event, event.isKind(kind), case let start = BookContinued(event.data),
      start.from.rawValue == baseline.floor, start.root == Hex.encode(baseline.root.bytes),
      start.state == Hex.encode(baseline.state.bytes),
      start.checkpointKey == Hex.encode(reader.row.checkpointKey)
    else {
      findings.note(
        "The event at position \(position) does not record what the book continues from.",
        firstAt: position.rawValue)
      return nil
    }
    return event
  }

  /// The first event of a book that has all of its past names its checkpoint key.
  private mutating func checkCreated(_ reader: BookReader) throws(GatebookError) {
    guard let event = try reader.event(at: Position(rawValue: 1)) else {
      hasAllOfPast = try reader.head().size == 0
      return
    }
    hasAllOfPast = true
    let created = event.facts(of: BookCreated.self)
    guard created?.checkpointKey != Hex.encode(reader.row.checkpointKey) else { return }
    findings.note("The first event does not name the book's checkpoint key.")
  }

  /// Refuses a checkpoint that nothing here can be compared with.
  ///
  /// - Parameters:
  ///   - checkpoint: The checkpoint.
  ///   - archive: The archive that was given with the book.
  /// - Throws: `storage.damaged` for one of a tree that ended with a recovery,
  ///   `configuration.invalid` for one that lies in an archive.
  func accept(_ checkpoint: Checkpoint, _ archive: BookReader?) throws(GatebookError) {
    guard let baseline else { return }
    if !baseline.isProven, checkpoint.size <= baseline.floor {
      throw GatebookError(
        .storageDamaged,
        "The checkpoint is from before the book was recovered. The events that were readable then did "
          + "not match their stored root, so nothing in this book can be compared with the checkpoint.",
        kept: "Nothing was changed.",
        remedy:
          "Keep the checkpoint, and compare it with the damaged file, if you kept it, or with a backup "
          + "from before the recovery. A checkpoint made after the recovery covers later events.")
    }
    guard checkpoint.size < baseline.first - 1 else { return }
    guard continuation?.isForgotten != true else {
      throw GatebookError(
        .configurationInvalid,
        "The checkpoint covers \(checkpoint.size) events, and the fleet that this copy is from forgot "
          + "all of them.",
        remedy: "Give a checkpoint of at least \(baseline.first - 1) events.")
    }
    guard let archive else {
      throw GatebookError(
        .configurationInvalid,
        "The checkpoint covers \(checkpoint.size) events, which are all in the archive.",
        remedy:
          "Give the archive too, with `BookVerifier.verify(archive:)`, or verify the archive itself."
      )
    }
    guard let former = (try? Baseline.read(archive.connection)) ?? nil,
      checkpoint.size < former.first - 1
    else { return }
    throw GatebookError(
      .configurationInvalid,
      "The checkpoint covers \(checkpoint.size) events, which are all in an older archive: this one "
        + "begins after position \(former.first - 1).",
      remedy: "Compare the checkpoint with the archive that ends there, with `BookVerifier`.")
  }

  private static let wrongLosses = "The list of lost events is damaged."
}
