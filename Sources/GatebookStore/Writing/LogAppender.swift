internal import GatebookCrypto
internal import GatebookEvents

/// Puts proposals into the log inside a write transaction that its caller holds open.
final class LogAppender {
  let connection: Connection
  let dictionaries: Dictionaries
  let projections: Projections
  let sealer: Sealer
  private let writer: Writer
  private let writerDescription: [UInt8]
  private let clock: any BookClock
  private let hash = SHA256()
  private var ids: EventIDSource
  private var canonical = CanonicalEvent()
  private var frontier = Frontier()
  private var revisions: [Int64: Int64] = [:]
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
    projections = Projections(connection, dictionaries)
    writerDescription = CanonicalEvent.describe(writer.program)
    ids = EventIDSource(random)
  }

  /// Reads the head; forgets what it remembers when somebody else wrote meanwhile.
  func begin() throws(GatebookError) {
    let statement = try connection.statement("SELECT size, frontier FROM head WHERE one = 1")
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

  /// How many events there are, those of the open transaction included.
  var size: Int64 { frontier.size }

  /// Forgets everything after a transaction that was rolled back.
  func rollBack() {
    frontier = Frontier()
    // The key of an account that was not made after all must never seal anything.
    sealer.forget()
    forget()
  }

  private func forget() {
    dictionaries.forget()
    projections.forget()
    revisions = [:]
  }

  /// Judges one append and writes it.
  ///
  /// - Throws: `precondition.failed`, `storage.idReused` or `limit.exceeded` before anything of it
  ///   was written; any other error leaves the transaction to be rolled back.
  func append(_ append: Append) throws(GatebookError) -> Receipt {
    if let receipt = try receiptOfRepetition(append) { return receipt }
    try judge(append.precondition)
    try check(append)
    for account in append.newAccounts { try add(account) }
    for lookup in append.lookups { try add(lookup.hash, of: lookup.account) }
    let first = Position(rawValue: frontier.size + 1)
    for event in append.events { try record(event, first: first) }
    for change in append.vault { try apply(change) }
    return Receipt(first: first, count: append.events.count, isRepetition: false)
  }

  /// Writes the head and the projections: the end of every write transaction.
  func finish() throws(GatebookError) {
    try projections.save()
    guard let root = frontier.root(hash) else { throw .storageDamaged("The tree is damaged.") }
    let statement = try connection.statement(
      "UPDATE head SET size = ?1, root = ?2, frontier = ?3 WHERE one = 1")
    statement.bind(1, frontier.size)
    statement.bind(2, root.bytes)
    statement.bind(3, frontier.bytes)
    try statement.run()
    if revisions.count > Self.cacheLimit { revisions = [:] }
  }

  /// Replaces all rows of the projections.
  func replaceProjections(by fold: BookFold) throws(GatebookError) {
    try projections.replace(by: fold)
    let statement = try connection.statement("UPDATE head SET folds = ?1 WHERE one = 1")
    statement.bind(1, BookFold.version)
    try statement.run()
  }

  private func record(_ event: ProposedEvent, first: Position) throws(GatebookError) {
    let position = Position(rawValue: frontier.size + 1)
    let now = clock.now().wall
    let id = event.id ?? ids.next(at: now)
    let kind = try dictionaries.kind(event.kind)
    let account = try number(of: event.account)
    let session: Int64? = if let id = event.session { try dictionaries.session(id) } else { nil }
    let revision = try nextRevision(of: account)
    let cause = Self.position(of: event.cause, first: first)
    let data = event.data.encoded
    let sealed = try seal(event, id)
    canonical.write(
      CanonicalEvent.Envelope(
        position: position.rawValue, id: id, account: event.account, revision: revision,
        session: event.session, version: Int64(event.kind.version), at: now.rawValue,
        cause: cause, process: writer.process),
      kind: kind.canonical, writer: writerDescription, data: data, sealed: sealed)
    let leaf = hash.leaf(canonical.bytes)
    let statement = try connection.statement(
      """
      INSERT INTO event (position, id, account, revision, session, kind, version, at, cause, writer,
        process, data, sealed, leaf)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      """)
    statement.bind(1, position.rawValue)
    statement.bind(2, id.bytes)
    statement.bind(3, account)
    statement.bind(4, revision)
    statement.bind(5, session)
    statement.bind(6, kind.number)
    statement.bind(7, Int64(event.kind.version))
    statement.bind(8, now.rawValue)
    statement.bind(9, cause)
    statement.bind(10, try dictionaries.writer(writer.program))
    statement.bind(11, writer.process)
    statement.bind(12, text: data)
    statement.bind(13, sealed)
    statement.bind(14, leaf.bytes)
    try statement.run()
    try grow(by: leaf)
    try fold(event, position, revision, now, data)
  }

  private func fold(
    _ event: ProposedEvent, _ position: Position, _ revision: Int64, _ now: Timestamp,
    _ data: [UInt8]
  ) throws(GatebookError) {
    try data.withUnsafeBufferPointer { (bytes) throws(GatebookError) in
      try projections.apply(
        LogEntry(
          position: position, account: event.account, revision: revision, session: event.session,
          kind: event.kind, at: now, data: FactScanner(UnsafeRawBufferPointer(bytes))))
    }
  }

  private func grow(by leaf: Digest) throws(GatebookError) {
    var completed: [Frontier.Subtree] = []
    frontier.append(leaf, hash) { completed.append($0) }
    for subtree in completed {
      let statement = try connection.statement("INSERT INTO subtree VALUES (?1, ?2, ?3)")
      statement.bind(1, subtree.level)
      statement.bind(2, subtree.number)
      statement.bind(3, subtree.root.bytes)
      try statement.run()
    }
  }

  private func seal(_ event: ProposedEvent, _ id: EventID) throws(GatebookError) -> [UInt8]? {
    guard let personal = event.personal, !personal.isEmpty, let account = event.account else {
      // The book's own stream has no key: personal facts are dropped there.
      return nil
    }
    try provideKey(of: account)
    return sealer.seal(
      personal.encoded, of: account,
      .event(id, kind: event.kind.rawValue, version: Int64(event.kind.version)))
  }

  private func nextRevision(of account: Int64) throws(GatebookError) -> Int64 {
    if let last = revisions[account] {
      revisions[account] = last + 1
      return last + 1
    }
    let next = try lastRevision(of: account) + 1
    revisions[account] = next
    return next
  }

  func lastRevision(of account: Int64) throws(GatebookError) -> Int64 {
    if let known = revisions[account] { return known }
    let statement = try connection.statement(
      "SELECT max(revision) FROM event WHERE account = ?1")
    statement.bind(1, account)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  func number(of account: AccountID?) throws(GatebookError) -> Int64 {
    guard let account else { return 0 }
    guard let number = try dictionaries.account(account) else {
      throw GatebookError(
        .preconditionFailed, "The book has no account \(account).",
        remedy: "Name an account of this book.")
    }
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
