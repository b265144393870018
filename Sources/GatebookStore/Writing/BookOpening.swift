internal import CSQLite
internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookMigrations

/// Opens a book for writing: checks it before anything is changed, makes it when it is new.
struct BookOpening {
  static let applicationID: Int64 = 0x4741_5445

  let file: BookFile
  let isFresh: Bool
  let key: any KeySource
  let writer: Writer
  let clock: any BookClock
  let random: any RandomSource
  let wait: Duration
  let lock: BookLock

  func open() throws(GatebookError) -> BookWriter {
    let connection = try writerConnection()
    let keys = try keysBeforeLock(connection)
    try lock.lockWriter(wait: wait, mayBeGivenUp: true)
    var isLocked = true
    defer { if isLocked { lock.unlockWriter() } }
    // A mark beside a file that we have just made is left from a book that was taken away.
    if isFresh { lock.isMarked = false }
    let sealer = try open(connection, keys)
    lock.isMarked = true
    let make = { (connection: Connection) in
      LogAppender(connection, sealer, writer: writer, clock: clock, random: random)
    }
    let opened = BookWriter(
      file: file, lock: lock, connection: connection, sealer: sealer, keySource: key, wait: wait,
      makeAppender: make)
    lock.unlockWriter()
    isLocked = false
    try refresh(opened, connection)
    return opened
  }

  /// - Throws: `storage.readOnly` for an archive and for a pulled book, whether its file could be
  ///   written or not.
  private func writerConnection() throws(GatebookError) -> Connection {
    do throws(GatebookError) {
      let connection = try WriterConnection.open(file)
      try refuseUnchanging(connection)
      return connection
    } catch  where error.code == .storageReadOnly {
      if let reader = try? ReaderConnection.open(file) { try refuseUnchanging(reader) }
      throw error
    }
  }

  /// Refuses what is a book of its own and never changes.
  private func refuseUnchanging(_ connection: Connection) throws(GatebookError) {
    if try ArchiveMark.isSet(connection) { throw ArchiveMark.refusal }
    if try PulledMark.isSet(connection) { throw PulledMark.refusal }
  }

  /// The keys of a book that is there already: a person who is asked for a passphrase, and scrypt,
  /// hold up nobody.
  private func keysBeforeLock(_ connection: Connection) throws(GatebookError) -> BookKeys? {
    // Somebody may make the book just now: whether something is wrong with it is seen under the
    // lock.
    guard !isFresh, let version = try? check(connection), version != 0 else { return nil }
    return try BookRow.unlock(connection, key).keys
  }

  private func open(
    _ connection: Connection, _ keys: BookKeys?
  ) throws(GatebookError) -> Sealer {
    guard try check(connection) == 0 else {
      let row = try BookRow(connection)
      // Another process may have made the book, or put another one in its place, meanwhile.
      let known = keys.flatMap { $0.book == row.id ? $0 : nil }
      let current = if let known { known } else { try row.unlock(key) }
      let sealer = Sealer(current, random: random)
      try WriterConnection.configure(connection)
      try migrate(connection, sealer)
      return sealer
    }
    guard !lock.isMarked else {
      throw .storageDamaged("The book's file is empty, so its content is lost.")
    }
    do throws(GatebookError) {
      return try make(connection)
    } catch {
      if isFresh { file.removeIfEmpty() }
      throw error
    }
  }

  /// Refuses what is not ours or newer, before any setting is changed.
  private func check(_ connection: Connection) throws(GatebookError) -> Int64 {
    let version = try connection.integer("PRAGMA user_version")
    let application = try connection.integer("PRAGMA application_id")
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    try BookVersion.check(application: application, version: version, isEmpty: isEmpty)
    guard try SchemaCheck.isOwn(connection) else {
      throw .storageDamaged(
        "The book's schema was changed: the additions would run with every write."
      )
    }
    return version
  }

  private func make(_ connection: Connection) throws(GatebookError) -> Sealer {
    guard let book = BookID(bytes: random.bytes(16)) else {
      throw .noRandomness
    }
    let (master, description) = try key.make(for: book, random: random)
    let keys = try BookKeys(master: master, book: book)
    let sealer = Sealer(keys, random: random)
    try WriterConnection.configure(connection)
    try connection.inTransaction { () throws(GatebookError) in
      try connection.apply(migrations[...])
      try connection.execute("PRAGMA application_id = \(Self.applicationID)")
      try insertBook(connection, keys, description)
      let created = BookCreated(
        checkpointKey: Hex.encode(keys.signing.publicKey), keySource: description.source,
        schema: Int64(migrations.count))
      try record(created, connection, sealer)
    }
    return sealer
  }

  /// Brings an older book's schema up to date; all steps and their event are one transaction.
  private func migrate(_ connection: Connection, _ sealer: Sealer) throws(GatebookError) {
    let version = try connection.integer("PRAGMA user_version")
    guard version < migrations.count else { return }
    try connection.inTransaction { () throws(GatebookError) in
      try connection.apply(migrations[Int(version)...])
      let migrated = BookMigrated(from: version, schema: Int64(migrations.count))
      try record(migrated, connection, sealer)
    }
  }

  private func insertBook(
    _ connection: Connection, _ keys: BookKeys, _ description: KeyDescription
  ) throws(GatebookError) {
    try connection.run(
      "INSERT INTO book VALUES (1, ?1, ?2, ?3, ?4, ?5)", keys.book.bytes, description.source,
      UTF8Text(description.parameters.encoded), keys.check, keys.signing.publicKey)
    try connection.run(
      "INSERT INTO head VALUES (1, 0, ?1, ?2, ?3)", SHA256().hash([]), [UInt8](), BookFold.version)
  }

  private func record(
    _ facts: some EventFacts, _ connection: Connection, _ sealer: Sealer
  ) throws(GatebookError) {
    let appender = LogAppender(
      connection, sealer, writer: writer, clock: clock, random: random)
    try appender.begin()
    _ = try appender.append(Append([ProposedEvent(facts)]))
    try appender.finish()
  }

  /// What an open may have to do: finish an erase, record another installation or key source, or
  /// rebuild.
  private func refresh(
    _ opened: BookWriter, _ connection: Connection
  ) throws(GatebookError) {
    _ = try opened.wipe(isPatient: false)
    let row = try BookRow(connection)
    if try row.wasOpenedElsewhere(connection, writer) {
      let event = ProposedEvent(BookOpened(keySource: row.key.source))
      _ = try opened.commit([Append([event], mayBeGivenUp: true)])[0].get()
    }
    // An archive was made, and its process ended before it had cleaned up.
    if try PastEvents(connection).isLeft() { try opened.clearPast() }
    guard try connection.integer("SELECT folds FROM head WHERE one = 1") != BookFold.version
    else { return }
    _ = try opened.rebuild(from: FoldedLog())
  }
}
