internal import GatebookCrypto
internal import GatebookEvents

/// Makes of proposed events what the tables hold of them: everything that needs no table.
///
/// Used by one thread at a time; for many events at once it runs ahead of the inserts.
final class EventEncoder {
  /// Where an event belongs: looked up in the tables before it is encoded.
  struct Place {
    let stream: Stream
    let session: Int64?
    let kind: Dictionaries.Kind
  }

  private let sealer: Sealer
  private let writer: Writer
  private let writerDescription: [UInt8]
  private let clock: any BookClock
  let hash = SHA256()
  private var ids: EventIDSource
  private var canonical = CanonicalEvent()
  /// The tree over all events so far.
  var frontier = Frontier()

  init(
    _ sealer: Sealer, writer: Writer, clock: any BookClock, random: any RandomSource
  ) {
    self.sealer = sealer
    self.writer = writer
    self.clock = clock
    writerDescription = CanonicalEvent.describe(writer.program)
    ids = EventIDSource(random)
  }

  /// The wall clock.
  var now: Timestamp { clock.now().wall }

  /// Encodes the log's next event, folds it, and adds its leaf to the tree.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - place: Where it belongs.
  ///   - first: The position of the append's first event.
  ///   - projections: What folds it; the rows that it touches are loaded.
  ///   - completed: Takes what is due besides the event's own row.
  ///   - body: Takes the event; its bytes are lent.
  /// - Throws: What the body throws.
  func encode<Failure: Error>(
    _ event: ProposedEvent, at place: Place, first: Position, _ projections: Projections,
    completed: inout CompletedRows,
    _ body: (EncodedEvent, UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let now = now
    let stream = place.stream
    stream.revision += 1
    let envelope = CanonicalEvent.Envelope(
      position: frontier.size + 1, id: event.id ?? ids.next(at: now), account: event.account,
      revision: stream.revision, session: event.session, version: Int64(event.kind.version),
      at: now.rawValue, cause: LogAppender.position(of: event.cause, first: first),
      process: writer.process)
    canonical.begin(
      envelope, kind: place.kind.canonical, writer: writerDescription, data: event.data)
    seal(event, envelope.id, stream)
    let leaf = hash.leaf(canonical.bytes)
    let (data, sealed) = (canonical.data, canonical.sealed)
    try canonical.bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
      let bytes = UnsafeRawBufferPointer(bytes)
      let entry = LogEntry(
        position: Position(rawValue: envelope.position), account: event.account,
        revision: stream.revision, session: event.session, kind: event.kind, at: now,
        data: FactScanner(UnsafeRawBufferPointer(rebasing: bytes[data])))
      projections.apply(entry, number: stream.number, snapshots: &completed.snapshots)
      frontier.append(leaf, hash) { completed.subtrees.append($0) }
      try body(
        EncodedEvent(
          position: envelope.position, stream: stream.number, revision: stream.revision,
          session: place.session, kind: place.kind.number, version: envelope.version,
          at: envelope.at, cause: envelope.cause, data: data, sealed: sealed, leaf: leaf), bytes)
    }
  }

  /// Ends the canonical bytes of an event with its encrypted facts, if it has any.
  private func seal(_ event: ProposedEvent, _ id: EventID, _ stream: Stream) {
    guard let personal = event.personal, !personal.isEmpty, let account = event.account,
      let key = stream.key
    else {
      // The book's own stream has no key: personal facts are dropped there.
      return canonical.end()
    }
    canonical.end { bytes in
      sealer.seal(
        personal, with: key, of: account,
        .event(id, kind: event.kind.rawValue, version: Int64(event.kind.version)), into: &bytes)
    }
  }
}

/// An event as its row holds it; the rest of the row is in its canonical bytes.
struct EncodedEvent {
  let position: Int64
  let stream: Int64
  let revision: Int64
  let session: Int64?
  let kind: Int64
  let version: Int64
  let at: Int64
  let cause: Int64?
  /// The place of the clear facts in the canonical bytes.
  let data: Range<Int>
  /// The place of the encrypted facts; `nil` if there are none.
  let sealed: Range<Int>?
  let leaf: Digest
}

/// What events complete besides their own rows.
struct CompletedRows {
  var subtrees: [Frontier.Subtree] = []
  var snapshots: [Snapshot] = []

  var isEmpty: Bool { subtrees.isEmpty && snapshots.isEmpty }
}
