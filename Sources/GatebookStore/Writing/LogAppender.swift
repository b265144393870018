internal import GatebookCrypto
internal import GatebookEvents

/// Puts proposals into the log inside a write transaction that its caller holds open.
///
/// It looks up where each event belongs, has it encoded, and inserts its row.
final class LogAppender {
  let connection: Connection
  let dictionaries: Dictionaries
  let projections: Projections
  let counter: BlockCounter
  private let rollups: RollupTables
  let sealer: Sealer
  private let writer: Writer
  private let encoder: EventEncoder
  var streams: [AccountID?: Stream] = [:]
  private var ownNumber: Int64?
  /// Whether each account is known to have the list of what finds it.
  var hasLookupLists = false
  private var insertEvent = KeptStatement(
    """
    INSERT INTO event (position, id, account, revision, session, kind, version, at, cause, writer,
      process, data, sealed, leaf)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
    """)
  private var selectHead = KeptStatement("SELECT size, frontier FROM head WHERE one = 1")
  private var updateHead = KeptStatement(
    "UPDATE head SET size = ?1, root = ?2, frontier = ?3 WHERE one = 1")
  private static let cacheLimit = 8192

  init(
    _ connection: Connection, _ sealer: Sealer, writer: Writer, clock: any BookClock,
    random: any RandomSource
  ) {
    self.connection = connection
    self.sealer = sealer
    self.writer = writer
    encoder = EventEncoder(sealer, writer: writer, clock: clock, random: random)
    dictionaries = Dictionaries(connection)
    let rollups = RollupTables(connection)
    projections = Projections(connection, dictionaries)
    counter = BlockCounter(connection, rollups)
    self.rollups = rollups
  }

  /// Reads the head; forgets what it remembers when somebody else wrote meanwhile.
  func begin() throws(GatebookError) {
    let statement = try selectHead.on(connection)
    defer { statement.reset() }
    guard try statement.step() else { throw .storageDamaged("The book has no head.") }
    let size = statement.integer(0)
    guard size != encoder.frontier.size || size == 0 else { return }
    guard let read = Frontier(size: size, bytes: statement.bytes(1)) else {
      throw .storageDamaged("The book's head is damaged.")
    }
    encoder.frontier = read
    forget()
  }

  /// The wall clock.
  var now: Timestamp { encoder.now }

  /// How many events there are, those of the open transaction included.
  var size: Int64 { encoder.frontier.size }

  /// Forgets everything after a transaction that was rolled back.
  func rollBack() {
    encoder.frontier = Frontier()
    // The key of an account whose creation failed must never encrypt anything.
    sealer.forget()
    hasLookupLists = false
    forget()
  }

  private func forget() {
    dictionaries.forget()
    projections.forget()
    counter.forget()
    ownNumber = nil
    streams = [:]
  }

  /// Judges one append and writes it.
  ///
  /// - Throws: `precondition.failed`, `storage.idReused` or `limit.exceeded` before anything of it
  ///   was written; any other error leaves the transaction to be rolled back.
  func append(_ append: Append) throws(GatebookError) -> Receipt {
    if let receipt = try receiptOfRepetition(append) { return receipt }
    try judge(append.precondition)
    try check(append)
    let lists = try lookupLists(before: append)
    for account in append.newAccounts { try add(account) }
    for lookup in append.lookups { try add(lookup.hash, of: lookup.account) }
    let first = Position(rawValue: size + 1)
    try record(append.events, first: first)
    for change in append.vault { try apply(change) }
    try keep(lists, after: append)
    return Receipt(first: first, count: append.events.count, isRepetition: false)
  }

  /// Writes the head and the projections: the end of every write transaction.
  func finish() throws(GatebookError) {
    try projections.save()
    let statement = try updateHead.on(connection)
    let frontier = encoder.frontier
    try statement.run(frontier.size, frontier.root(encoder.hash).bytes, frontier.bytes)
    if streams.count > Self.cacheLimit { streams = [:] }
  }

  /// Replaces all rows of the present, or those of one account.
  func replaceProjections(by fold: BookFold, of account: AccountID?) throws(GatebookError) {
    if let account { return try projections.replace(account, by: fold) }
    try projections.replace(by: fold)
    try connection.run("UPDATE head SET folds = ?1 WHERE one = 1", BookFold.version)
  }

  private func record(
    _ events: [ProposedEvent], first: Position
  ) throws(GatebookError) {
    guard events.count >= EncodedChunks.least else {
      for event in events { try record(event, first: first) }
      return
    }
    var places: [EventEncoder.Place] = []
    for event in events { places.append(try place(of: event)) }
    // Until the chunks are through, the other thread alone uses these.
    nonisolated(unsafe) let (encoder, projections) = (encoder, projections)
    nonisolated(unsafe) let known = places
    let chunks: EncodedChunks
    do throws(GatebookError) {
      chunks = try EncodedChunks(count: events.count) { index, chunk in
        encoder.encode(
          events[index], at: known[index], first: first, projections, completed: &chunk.completed
        ) { chunk.add($0, $1) }
      }
    } catch {
      for event in events { try record(event, first: first) }
      return
    }
    try chunks.handOut { (chunk) throws(GatebookError) in
      try chunk.handOut { (event, bytes) throws(GatebookError) in try insert(event, bytes) }
      try write(chunk.completed)
    }
  }

  private func record(_ event: ProposedEvent, first: Position) throws(GatebookError) {
    var completed = CompletedRows()
    try encoder.encode(
      event, at: try place(of: event), first: first, projections, completed: &completed
    ) { (event, bytes) throws(GatebookError) in try insert(event, bytes) }
    if !completed.isEmpty { try write(completed) }
  }

  /// Looks up all that the tables must say before an event is encoded.
  private func place(of event: ProposedEvent) throws(GatebookError) -> EventEncoder.Place {
    let stream = try stream(of: event.account)
    if event.account != nil, event.personal?.isEmpty == false { _ = try key(of: stream) }
    try projections.prepare(event)
    return EventEncoder.Place(
      stream: stream,
      session: try event.session.map { (id) throws(GatebookError) in
        try dictionaries.session(id)
      }, kind: try dictionaries.kind(event.kind))
  }

  /// Inserts an event; numbers stand for names that its canonical bytes have in full.
  private func insert(
    _ event: EncodedEvent, _ bytes: UnsafeRawBufferPointer
  ) throws(GatebookError) {
    let statement = try insertEvent.on(connection)
    statement.bind(1, event.position)
    statement.bind(2, lent: UnsafeRawBufferPointer(rebasing: bytes[CanonicalEvent.id]))
    statement.bind(3, event.stream)
    statement.bind(4, event.revision)
    statement.bind(5, event.session)
    statement.bind(6, event.kind)
    statement.bind(7, event.version)
    statement.bind(8, event.at)
    statement.bind(9, event.cause)
    statement.bind(10, try writerNumber())
    statement.bind(11, writer.process)
    statement.bind(12, lentText: UnsafeRawBufferPointer(rebasing: bytes[event.data]))
    if let sealed = event.sealed {
      statement.bind(13, lent: UnsafeRawBufferPointer(rebasing: bytes[sealed]))
    } else {
      statement.bindNull(13)
    }
    try event.leaf.withUnsafeBytes { (leaf) throws(GatebookError) in
      statement.bind(14, lent: leaf)
      try statement.run()
    }
    try counter.take(
      RollupEvent(account: event.stream, kind: event.kind, at: event.at), at: event.position)
  }

  private func write(_ completed: CompletedRows) throws(GatebookError) {
    for subtree in completed.subtrees {
      try connection.run(
        "INSERT INTO subtree VALUES (?1, ?2, ?3)", subtree.level, subtree.number, subtree.root.bytes
      )
    }
    for snapshot in completed.snapshots { try rollups.take(snapshot) }
  }

  private func writerNumber() throws(GatebookError) -> Int64 {
    if let ownNumber { return ownNumber }
    let number = try dictionaries.writer(writer.program)
    ownNumber = number
    return number
  }

  static func position(of cause: ProposedEvent.Cause, first: Position) -> Int64? {
    switch cause {
    case .none: nil
    case .recorded(let position): position.rawValue
    case .proposed(let index): first.rawValue + Int64(index)
    }
  }
}
