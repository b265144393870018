internal import GatebookCrypto
internal import GatebookEvents

/// Puts proposals into the log inside a write transaction that its caller holds open.
final class LogAppender {
  let connection: Connection
  let dictionaries: Dictionaries
  let projections: Projections
  let counter: BlockCounter
  let sealer: Sealer
  private let writer: Writer
  private let writerDescription: [UInt8]
  private let clock: any BookClock
  private let hash = SHA256()
  private var ids: EventIDSource
  private var canonical = CanonicalEvent()
  private var frontier = Frontier()
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
    self.clock = clock
    dictionaries = Dictionaries(connection)
    let rollups = RollupTables(connection)
    projections = Projections(connection, dictionaries, rollups)
    counter = BlockCounter(connection, rollups)
    writerDescription = CanonicalEvent.describe(writer.program)
    ids = EventIDSource(random)
  }

  /// Reads the head; forgets what it remembers when somebody else wrote meanwhile.
  func begin() throws(GatebookError) {
    let statement = try selectHead.on(connection)
    defer { statement.reset() }
    guard try statement.step() else { throw .storageDamaged("The book has no head.") }
    let size = statement.integer(0)
    guard size != frontier.size || size == 0 else { return }
    guard let read = Frontier(size: size, bytes: statement.bytes(1)) else {
      throw .storageDamaged("The book's head is damaged.")
    }
    frontier = read
    forget()
  }

  /// The wall clock.
  var now: Timestamp { clock.now().wall }

  /// How many events there are, those of the open transaction included.
  var size: Int64 { frontier.size }

  /// Forgets everything after a transaction that was rolled back.
  func rollBack() {
    frontier = Frontier()
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
    let first = Position(rawValue: frontier.size + 1)
    for event in append.events { try record(event, first: first) }
    for change in append.vault { try apply(change) }
    try keep(lists, after: append)
    return Receipt(first: first, count: append.events.count, isRepetition: false)
  }

  /// Writes the head and the projections: the end of every write transaction.
  func finish() throws(GatebookError) {
    try projections.save()
    let statement = try updateHead.on(connection)
    try statement.run(frontier.size, frontier.root(hash).bytes, frontier.bytes)
    if streams.count > Self.cacheLimit { streams = [:] }
  }

  /// Replaces all rows of the present, or those of one account.
  func replaceProjections(by fold: BookFold, of account: AccountID?) throws(GatebookError) {
    if let account { return try projections.replace(account, by: fold) }
    try projections.replace(by: fold)
    try connection.run("UPDATE head SET folds = ?1 WHERE one = 1", BookFold.version)
  }

  private func record(
    _ event: ProposedEvent, first: Position
  ) throws(GatebookError) {
    let now = clock.now().wall
    let id = event.id ?? ids.next(at: now)
    let kind = try dictionaries.kind(event.kind)
    let stream = try stream(of: event.account)
    let session: Int64? = if let id = event.session { try dictionaries.session(id) } else { nil }
    stream.revision += 1
    let envelope = CanonicalEvent.Envelope(
      position: size + 1, id: id, account: event.account, revision: stream.revision,
      session: event.session, version: Int64(event.kind.version), at: now.rawValue,
      cause: Self.position(of: event.cause, first: first), process: writer.process)
    canonical.begin(
      envelope, kind: kind.canonical, writer: writerDescription, data: event.data)
    try seal(event, id, stream)
    let leaf = hash.leaf(canonical.bytes)
    try canonical.bytes.withUnsafeBufferPointer { (bytes) throws(GatebookError) in
      let bytes = UnsafeRawBufferPointer(bytes)
      try insert(envelope, stream: stream.number, session: session, kind: kind.number, bytes, leaf)
      try projections.apply(
        LogEntry(
          position: Position(rawValue: envelope.position), account: event.account,
          revision: stream.revision, session: event.session, kind: event.kind, at: now,
          data: FactScanner(UnsafeRawBufferPointer(rebasing: bytes[canonical.data]))),
        number: stream.number)
    }
    try grow(by: leaf)
    try counter.take(
      RollupEvent(account: stream.number, kind: kind.number, at: envelope.at),
      at: envelope.position)
  }

  /// Inserts the event whose canonical bytes these are; numbers stand for names that the leaf has
  /// in full.
  private func insert(
    _ envelope: CanonicalEvent.Envelope, stream: Int64, session: Int64?, kind: Int64,
    _ bytes: UnsafeRawBufferPointer, _ leaf: Digest
  ) throws(GatebookError) {
    let statement = try insertEvent.on(connection)
    statement.bind(1, envelope.position)
    statement.bind(2, lent: UnsafeRawBufferPointer(rebasing: bytes[CanonicalEvent.id]))
    statement.bind(3, stream)
    statement.bind(4, envelope.revision)
    statement.bind(5, session)
    statement.bind(6, kind)
    statement.bind(7, envelope.version)
    statement.bind(8, envelope.at)
    statement.bind(9, envelope.cause)
    statement.bind(10, try writerNumber())
    statement.bind(11, envelope.process)
    statement.bind(12, lentText: UnsafeRawBufferPointer(rebasing: bytes[canonical.data]))
    if let sealed = canonical.sealed {
      statement.bind(13, lent: UnsafeRawBufferPointer(rebasing: bytes[sealed]))
    } else {
      statement.bindNull(13)
    }
    try leaf.withUnsafeBytes { (leaf) throws(GatebookError) in
      statement.bind(14, lent: leaf)
      try statement.run()
    }
  }

  private func grow(by leaf: Digest) throws(GatebookError) {
    var completed: [Frontier.Subtree] = []
    frontier.append(leaf, hash) { completed.append($0) }
    for subtree in completed {
      try connection.run(
        "INSERT INTO subtree VALUES (?1, ?2, ?3)", subtree.level, subtree.number, subtree.root.bytes
      )
    }
  }

  /// Ends the canonical bytes of an event with its encrypted facts, if it has any.
  private func seal(
    _ event: ProposedEvent, _ id: EventID, _ stream: Stream
  ) throws(GatebookError) {
    guard let personal = event.personal, !personal.isEmpty, let account = event.account else {
      // The book's own stream has no key: personal facts are dropped there.
      return canonical.end()
    }
    let key = try key(of: stream)
    canonical.end { bytes in
      sealer.seal(
        personal, with: key, of: account,
        .event(id, kind: event.kind.rawValue, version: Int64(event.kind.version)), into: &bytes)
    }
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
