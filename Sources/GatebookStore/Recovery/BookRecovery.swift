public import GatebookCrypto
public import GatebookEvents
internal import GatebookMigrations
internal import GatebookSystem

/// Makes a new book from what can still be read of a damaged one; the damaged book is not changed.
///
/// ```
/// every page, row by row -> events whose leaf is right -> state -> tree -> book.recovered -> verified
/// ```
///
/// It needs no key: encrypted data is copied and opens with the same key. With the key it also
/// reports what can no longer be decrypted.
public struct BookRecovery: Sendable {
  private let source: String
  private let program: Program
  private let key: (any KeySource)?
  private let clock: any BookClock
  private let random: any RandomSource
  /// No book has as many of anything: whatever counts further is no number of one.
  static let maximum: Int64 = 1 << 53

  /// Makes a recovery of the book at a path.
  ///
  /// - Parameters:
  ///   - path: The damaged book.
  ///   - program: The program that recovers it; the new book's event names it.
  ///   - key: The source of its master key, to check that encrypted data can be decrypted; `nil` to
  ///     skip the check.
  ///   - clock: The time of that event.
  ///   - random: Its id.
  public init(
    path: String, program: Program, key: (any KeySource)? = nil,
    clock: any BookClock = SystemClock(),
    random: any RandomSource = SystemRandom()
  ) {
    source = path
    self.program = program
    self.key = key
    self.clock = clock
    self.random = random
  }

  /// Recovers the book.
  ///
  /// - Parameter path: The new book's file; it must not exist yet.
  /// - Returns: The result.
  /// - Throws: `storage.damaged` if too little is left for a book, `configuration.invalid` if the
  ///   file exists or for an undamaged archive; `cancelled`; other `storage` failures. Nothing of
  ///   the new book is then left.
  public func recover(to path: String) async throws(GatebookError) -> Recovery {
    let thread = ThreadExecutor()
    return try await withTaskExecutorPreference(thread) { () throws(GatebookError) in
      let book = BookFile(path: source)
      // Before anything is made beside what is not there.
      guard Files.exists(book.path) || SystemError.last != .missing else {
        throw BookReader.noBook(at: source)
      }
      let draft = try DraftFile.open(for: path, .recovery, beside: book)
      let lock = try? BookLock.open(book.lockPath)
      // Nobody writes while the pages are read; where there is nobody to wait for, all the better.
      try lock?.lockWriter(wait: .seconds(10))
      defer { lock?.unlockWriter() }
      // Before SQLite looks at the file: it would make an empty write-ahead log where one is gone.
      let pages = try RawPages(book)
      try await refuseWholeArchive()
      var recovery = try fill(draft, pages)
      let verdict = try await draft.verify()
      let projections = try BookReader.open(at: draft.path).checkProjections()
      guard verdict.ok, projections.ok else {
        throw Self.lost(
          "Too little was found to make a book.",
          cause: (verdict.problems + projections.problems).first)
      }
      try Self.refuseCancelled()
      recovery.look(into: key.flatMap { try? BookReader.open(at: draft.path, key: $0) })
      try draft.publish()
      return recovery
    }
  }

  /// That what is left makes no book.
  private static func lost(_ message: String, cause: String? = nil) -> GatebookError {
    GatebookError(
      .storageDamaged, message, kept: "The damaged file was not changed.",
      remedy: "Restore the book from a copy.", cause: cause)
  }

  /// Ends a recovery that was cancelled.
  static func refuseCancelled() throws(GatebookError) {
    guard !Task.isCancelled else { throw DraftFile.Purpose.recovery.cancelled }
  }

  /// Refuses an archive that nothing is wrong with: what is made of it would be a second book of
  /// the same identity, which takes events.
  private func refuseWholeArchive() async throws(GatebookError) {
    guard (try? ArchiveMark.isSet(ReaderConnection.open(BookFile(path: source)))) == true,
      (try? await BookVerifier(path: source).verify())?.isLogWhole == true
    else { return }
    throw GatebookError(
      .configurationInvalid, "This is an undamaged archive.",
      kept: "Nothing was changed.", remedy: "Read it with `BookReader.open(at:)`.")
  }

  private func fill(_ draft: DraftFile, _ pages: RawPages) throws(GatebookError) -> Recovery {
    let connection = try draft.connect()
    // An unfinished file is discarded: nothing has to be undone. A removed key must be nowhere in
    // it.
    try connection.execute(
      "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA secure_delete=ON")
    try connection.apply(migrations[...])
    try connection.execute("PRAGMA application_id = \(BookOpening.applicationID)")
    try SalvagedRows(pages, into: connection).take()
    return try make(connection, draft.place, pages)
  }

  /// Makes a book of the rows that were found.
  private func make(
    _ connection: Connection, _ path: String, _ pages: RawPages
  ) throws(GatebookError) -> Recovery {
    guard let book = try? BookRow(connection) else {
      throw Self.lost(
        "The identity of the book and the place of its key are lost, so nothing encrypted could be "
          + "decrypted.")
    }
    guard book.key.source != PulledMark.keySource else { throw PulledMark.noRecovery }
    let accounts = RecoveredAccounts(connection)
    let unknown = try accounts.find(pages)
    let events = SalvagedEvents(connection)
    let former = (try? Baseline.read(connection)) ?? nil
    let bytes = pages.count * Int64(pages.size)
    guard former?.floor ?? 0 <= Baseline.mostEvents(inFileOf: bytes) else {
      throw Self.lost("The record of where the book begins is damaged.")
    }
    let limit = BookReader.mostEvents(after: former, inFileOf: bytes)
    let head = try LogHead(connection).flatMap { $0.frontier.size <= limit ? $0 : nil }
    let first = former?.first ?? 1
    // A book that continues a past has one event at least: the one that says so.
    let last = max(try events.last(upTo: limit), former.map { $0.floor + 1 } ?? 0)
    let size = max(head?.frontier.size ?? 0, last)
    // No events come after a head, unless it was read from an older state of the book than the
    // rest.
    let end = head?.frontier.size == size ? head?.frontier : nil
    guard size >= first else {
      throw Self.lost("No event of the book can be read.")
    }
    try connection.execute("BEGIN")
    try events.take(from: first, upTo: size)
    let lost = try lost(from: first, upTo: size, connection)
    try connection.execute("DELETE FROM lost")
    for range in lost { try LostEvents(connection).add(range) }
    let state = try RecoveredState(
      connection, hasProjections: head?.folds == BookFold.version, isWhole: lost.isEmpty)
    let tree = try RecoveredTree(
      connection,
      former: former.flatMap { $0.first == $0.floor + 1 ? $0.frontier : nil }
        ?? Frontier(), size: size, head: end, goesOn: former?.isProven ?? true)
    let before = try BookRecovered(behind: former, connection)
    let hasEnd = end != nil && !pages.isLogTorn
    var event = BookRecovered()
    if let former, let before {
      event.suspect(try before.rewritten(upTo: former, besides: lost, connection))
    }
    event.suspect(tree.rewritten)
    // The event of a recovery before this one is one of many by now.
    event.suspect(before?.suspect ?? [])
    // What that recovery could not believe is lost with its event.
    let hasBeginning = before?.hasBeginning ?? (former?.isRecovered != true)
    event.unknown = [
      state.hasBeginning && hasBeginning ? nil : "beginning",
      hasEnd && before?.hasEnd ?? true ? nil : "end",
    ].compactMap(\.self)
    let withoutState = try accounts.dropWithoutState(state.fold)
    if let key, let keys = try? BookRow.unlock(connection, key).keys {
      try accounts.dropUnopened(by: Sealer(keys, random: random))
    }
    let withoutKey = try accounts.withoutKey(state.fold)
    try goOn(connection, book, state, tree, first: first, lost: lost, former, event)
    try connection.execute("COMMIT")
    let missing = lost.reduce(0) { $0 + Int64($1.count) }
    return Recovery(
      path: path, size: size, kept: size - missing,
      archived: Position(rawValue: first - 1),
      lost: lost.map(\.positions),
      isProven: tree.isProven && former?.isProven ?? true, hasEnd: hasEnd,
      unreadFrames: pages.unreadFrames, hasBeginning: state.hasBeginning,
      rewritten: event.suspect.map(\.positions),
      accounts: Int64(state.fold.accounts.count),
      stale: state.stale, lostPages: pages.countLost(), unknownAccounts: unknown,
      withoutState: withoutState, withoutKey: withoutKey,
      withoutLookup: try accounts.withoutLookup(state.fold),
      withoutCredentials: try accounts.withoutCredentials(state.fold),
      withoutSecret: try accounts.withoutSecret(state.fold))
  }

  /// Writes what the book continues, and the event that says so.
  private func goOn(
    _ connection: Connection, _ book: BookRow, _ state: RecoveredState, _ tree: RecoveredTree,
    first: Int64, lost: [ClosedRange<Int64>], _ former: Baseline?, _ found: BookRecovered
  ) throws(GatebookError) {
    let rows = try baselineState(connection, state, lost)
    let floor = tree.frontier.size
    let (root, hash) = (tree.frontier.root(SHA256()), rows.root(SHA256()))
    let baseline = Baseline(
      floor: floor, first: first, frontier: tree.frontier, root: root,
      latest: try Baseline.latest(connection, after: former), state: hash, isRecovered: true,
      isProven: tree.isProven && former?.isProven ?? true)
    try LogHead.write(connection, tree.frontier, root)
    // The event is the book's own: nothing is encrypted in it, so any key will do.
    let keys = try BookKeys(master: Secret(random.bytes(32)), book: book.id)
    let appender = LogAppender(
      connection, Sealer(keys, random: random),
      writer: Writer(program: program, process: Int64(ThisProcess.id)), clock: clock, random: random
    )
    try appender.begin()
    try appender.goOn(from: rows, baseline, state.fold, state.tallies)
    var event = found
    event.checkpointKey = Hex.encode(book.checkpointKey)
    event.from = Position(rawValue: floor)
    event.kept = try BookRecovered.kept(connection, upTo: floor)
    event.keySource = book.key.source
    event.lost = lost.reduce(0) { $0 + Int64($1.count) }
    event.root = Hex.encode(root.bytes)
    event.state = Hex.encode(hash.bytes)
    _ = try appender.append(Append([ProposedEvent(event)]))
    try appender.finish()
  }

  /// The state to continue; no revision of a lost event is used again.
  private func baselineState(
    _ connection: Connection, _ state: RecoveredState, _ lost: [ClosedRange<Int64>]
  ) throws(GatebookError) -> BaselineState {
    let found = try BaselineState(state.fold, state.tallies, connection, skipsMissing: true)
    let missing = lost.reduce(0) { $0 + Int64($1.count) }
    // What the streams began with may be damaged; an account's state knows its last revision too.
    var revisions: [[UInt8]: Int64] = [:]
    for (account, state) in state.fold.accounts { revisions[account.bytes] = state.revision }
    for row in found.rows where row.part == BaselineState.stream {
      let revision = Facts(decoding: row.state)?["revision"]?.integer ?? 0
      revisions[row.name] = max(revision, revisions[row.name] ?? 0)
    }
    revisions = revisions.mapValues { min($0, Self.maximum) }
    let streams = revisions.map { name, revision in
      let next: Facts = ["revision": .integer(revision + missing)]
      return BaselineState.Row(part: BaselineState.stream, name: name, state: next.encoded)
    }
    return BaselineState(found.rows.filter { $0.part != BaselineState.stream } + streams)
  }

  private func lost(
    from first: Int64, upTo end: Int64, _ connection: Connection
  ) throws(GatebookError) -> [ClosedRange<Int64>] {
    try connection.all(
      """
      SELECT last + 1, position - 1 FROM (
        SELECT position, lag(position, 1, ?1 - 1) OVER (ORDER BY position) AS last
        FROM (SELECT position FROM event UNION ALL SELECT ?2 + 1))
      WHERE position > last + 1 ORDER BY position
      """, first, end
    ) { $0.integer(0)...$0.integer(1) }
  }
}
