import GatebookCrypto
import GatebookEvents
import GatebookTestSupport
import Glibc
import Testing

@testable import GatebookStore

/// A book in which any page is lost.
@Suite struct PageLossTests {
  enum Loss: CaseIterable {
    case zeroed, ones, random, truncated
  }

  /// The book before the damage, and its last position.
  private struct Former {
    let book: TestBook
    let bytes: [UInt8]
    let events: [RecordedEvent]
    let accounts: [SessionContext]
    let sessions: [SessionSummary]
    /// The positions of the events on each page.
    var positions: [Int: Set<Int64>] = [:]
    /// The pages that hold more of an event.
    var overflow: Set<Int> = []
    /// The pages that hold nothing.
    var free: Set<Int64> = []
    /// The first page of each table and index.
    var roots: [String: Int] = [:]
    var pages: Int { bytes.count / 4096 }

    init(_ book: TestBook) throws {
      self.book = book
      bytes = try FileBytes.read(book.path)
      let reader = try book.reader()
      events = try reader.events(EventFilter())
      accounts = try reader.accounts()
      sessions = try reader.sessions()
      let raw = try RawPages(BookFile(path: book.path))
      for page in 1...pages {
        for row in raw.rows(of: Int64(page)) where row.values.count == 14 {
          if let number = row.number { positions[page, default: []].insert(number) }
        }
        let first = bytes[(page - 1) * 4096 + (page == 1 ? 100 : 0)]
        if ![2, 5, 10, 13].contains(first) { overflow.insert(page) }
      }
      free = raw.readHeader().free
      let rows = try reader.connection.statement("SELECT name, rootpage FROM sqlite_schema")
      while try rows.step() { roots[rows.text(0)] = Int(rows.integer(1)) }
      rows.reset()
    }

    /// The file with something done to it.
    func damaged(_ loss: Loss, _ page: Int) -> [UInt8] {
      var copy = bytes
      let range = (page - 1) * 4096..<page * 4096
      var random = SplitMix(seed: UInt64(page))
      switch loss {
      case .zeroed: copy.replaceSubrange(range, with: [UInt8](repeating: 0, count: 4096))
      case .ones: copy.replaceSubrange(range, with: [UInt8](repeating: 0xFF, count: 4096))
      case .random:
        copy.replaceSubrange(
          range, with: (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) })
      case .truncated: copy.removeSubrange(range.lowerBound...)
      }
      return copy
    }
  }

  @Test(arguments: Loss.allCases)
  func `whichever page is lost, everything on the others is recovered`(
    _ loss: Loss
  )
    async throws
  {
    let former = try Former(try await LivedBook.make())
    #expect(former.positions.count > 3 && former.overflow.count > 1)
    let bookPage = try #require(former.roots["book"])
    for page in 1...former.pages {
      let path = former.book.folder.file("damaged.book")
      let new = former.book.folder.file("new-\(page).book")
      try FileBytes.write(former.damaged(loss, page), to: path)
      let gone = loss == .truncated ? page...former.pages : page...page
      let recovering = Task { () async -> Result<Recovery, GatebookError> in
        do throws(GatebookError) {
          return .success(
            try await BookRecovery(path: path, program: TestBook.program).recover(to: new))
        } catch {
          return .failure(error)
        }
      }
      switch await recovering.value {
      case .failure(let error):
        // Its only row names the key's source and the key's check value. Or neither an event nor
        // the count of events is left.
        let isEmpty = former.positions.keys.allSatisfy(gone.contains) && loss == .truncated
        #expect(gone.contains(bookPage) || isEmpty, "page \(page): \(error) \(error.cause ?? "")")
        #expect(error.code == .storageDamaged)
      case .success(let recovery):
        #expect(!gone.contains(bookPage))
        // Bytes that were made up may look like a page.
        let held = gone.count {
          !former.free.contains(Int64($0)) && !former.overflow.contains($0)
        }
        if loss != .random { #expect(recovery.lostPages >= held, "page \(page)") }
        try await expectAll(of: former, but: gone, new, recovery)
      }
      unlink(new)
    }
  }

  @Test(arguments: 1...12)
  func `several pages at random leave a book, or the reason why not`(_ seed: Int) async throws {
    let former = try Former(try await LivedBook.make())
    let bookPage = try #require(former.roots["book"])
    var random = SplitMix(seed: UInt64(seed))
    var bytes = former.bytes
    var gone: Set<Int> = []
    for loss in Loss.allCases.dropLast() {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let page = Int.random(in: 1...former.pages, using: &random)
        let range = (page - 1) * 4096..<page * 4096
        bytes.replaceSubrange(range, with: former.damaged(loss, page)[range])
        gone.insert(page)
      }
    }
    let path = former.book.folder.file("damaged.book")
    let new = former.book.folder.file("new.book")
    try FileBytes.write(bytes, to: path)
    let recovery = BookRecovery(path: path, program: TestBook.program)
    guard !gone.contains(bookPage) else {
      await expect(.storageDamaged) { () throws(GatebookError) in
        _ = try await recovery.recover(to: new)
      }
      return
    }
    let made = try await recovery.recover(to: new)
    let verdict = try await BookVerifier(path: new).verify()
    #expect(verdict.ok, "\(gone): \(verdict.problems)")
    let events = try BookReader.open(at: new, key: former.book.key).events(EventFilter())
    let known = Dictionary(uniqueKeysWithValues: former.events.map { ($0.position, $0) })
    for event in events.dropLast() { #expect(known[event.position]?.id == event.id) }
    #expect(events.count - 1 == made.kept)
    let store = try await EventStore.open(
      at: new, key: former.book.key, program: TestBook.program, clock: former.book.clock,
      random: SystemRandom(), wait: .seconds(10))
    _ = try await store.append(.note())
    await store.close()
    #expect(try await BookVerifier(path: new).verify().ok)
  }

  @Test
  func `an account without its key takes no secret, and a login of the same person is a new one`()
    async throws
  {
    let former = try Former(try await LivedBook.make())
    let path = former.book.folder.file("damaged.book")
    let new = former.book.folder.file("new.book")
    try FileBytes.write(
      former.damaged(.zeroed, try #require(former.roots["account"])), to: path)
    _ = try await BookRecovery(path: path, program: TestBook.program).recover(to: new)
    let store = try await EventStore.open(
      at: new, key: former.book.key, program: TestBook.program, clock: former.book.clock,
      random: SystemRandom(), wait: .seconds(10))
    let reader = try store.makeReader()
    #expect(try reader.secret(of: TestBook.ada, purpose: "session") == nil)
    #expect(try !reader.isErased(TestBook.ada))
    #expect(try reader.isErased(LivedBook.dee))
    let failure = await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await store.append(.about(TestBook.ada))
    }
    #expect(failure?.message.contains("lost") == true)
    // Facts that need no key are read as before.
    _ = try await store.append(
      Append([
        ProposedEvent(
          .sessionEnded, account: TestBook.ada, session: LivedBook.session(TestBook.ada),
          data: ["reason": "secretMissing"])
      ]))
    let again = AccountID(high: 0xADA, low: 9)
    var login = Append.login(again, SessionID(high: 0x5E55, low: 9))
    login.newAccounts[0].lookups = [TestBook.ada.bytes + TestBook.ada.bytes]
    _ = try await store.append(login)
    #expect(try reader.context(of: again)?.loginName == .known("ada"))
    _ = try await store.append(.erasing(TestBook.ada))
    #expect(try reader.context(of: TestBook.ada)?.loginName == .forgotten)
    await store.close()
    #expect(try await BookVerifier(path: new).verify().ok)
    #expect(try reader.checkProjections().ok)
  }

  @Test func `an older head and a missing write-ahead log are reported`() async throws {
    let book = try await LivedBook.make()
    let page = try #require(try Former(book).roots["head"])
    let head = Array(try FileBytes.read(book.path)[(page - 1) * 4096..<page * 4096])
    let store = try await book.open()
    try await LivedBook.live(store, rounds: 13...14)
    await store.close()
    let former = try Former(book)
    var bytes = former.bytes
    bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: head)
    let path = book.folder.file("damaged.book")
    try FileBytes.write(bytes, to: path)
    let older = try await BookRecovery(path: path, program: TestBook.program)
      .recover(to: book.folder.file("new.book"))
    #expect(!older.hasEnd && older.lost.isEmpty && older.isProven)
    #expect(older.size == Int64(former.events.count))
    let used = book.folder.file("used.book")
    try FileBytes.write(former.bytes, to: used)
    try FileBytes.write([0], to: used + "-shm")
    let gone = try await BookRecovery(path: used, program: TestBook.program)
      .recover(to: book.folder.file("other.book"))
    #expect(!gone.hasEnd && !gone.isWhole && gone.lost.isEmpty)
    let closed = book.folder.file("closed.book")
    try FileBytes.write(former.bytes, to: closed)
    let whole = try await BookRecovery(path: closed, program: TestBook.program)
      .recover(to: book.folder.file("whole.book"))
    #expect(whole.isWhole && whole.lostPages == 0)
  }

  private func expectAll(
    of former: Former, but gone: ClosedRange<Int>, _ path: String, _ recovery: Recovery
  ) async throws {
    let comment: Comment = "pages \(gone)"
    let verdict = try await BookVerifier(path: path).verify()
    #expect(verdict.ok, "\(comment): \(verdict.problems)")
    let reader = try BookReader.open(at: path, key: former.book.key)
    let check = try reader.checkProjections()
    #expect(check.ok, "\(comment): \(check.problems)")
    let lost = Set(recovery.lost.flatMap { $0.lowerBound.rawValue...$0.upperBound.rawValue })
    var expected = Set(gone.flatMap { former.positions[$0] ?? [] })
    if !former.overflow.isDisjoint(with: gone), let long = lost.subtracting(expected).first {
      expected.insert(long)
    }
    #expect(lost == expected, comment)
    let events = try reader.events(EventFilter())
    let kept = former.events.filter { !expected.contains($0.position.rawValue) }
    #expect(
      events.dropLast() == kept.map { $0.without(recovery.withoutKey) }[...], comment)
    try expectAccounts(of: former, gone, reader, recovery)
  }

  private func expectAccounts(
    of former: Former, _ gone: ClosedRange<Int>, _ reader: BookReader, _ recovery: Recovery
  ) throws {
    let comment: Comment = "pages \(gone)"
    let isMuch = gone.count > 1
    let accounts = try reader.accounts()
    #expect(Set(accounts.map(\.account)).isSubset(of: LivedBook.accounts), comment)
    // Where events are lost, and what the end of the log made of them, nothing else tells.
    if !isMuch || recovery.lost.isEmpty {
      #expect(accounts.map(\.account) == former.accounts.map(\.account), comment)
      #expect(accounts.map(\.state) == former.accounts.map(\.state), comment)
      #expect(accounts.map(\.isCurrent) == former.accounts.map(\.isCurrent), comment)
      #expect(try reader.sessions().count == former.sessions.count, comment)
    }
    guard !isMuch else { return }
    #expect(recovery.stale.isEmpty && recovery.unknownAccounts == 0, comment)
    let living = LivedBook.accounts.dropLast().sorted()
    let page = gone.lowerBound
    let (vault, lookups) = (former.roots["vault"], former.roots["account_lookup"])
    #expect(recovery.withoutKey == (page == former.roots["account"] ? living : []), comment)
    #expect(recovery.withoutLookup == (page == lookups ? living : []), comment)
    let active = [TestBook.ada, TestBook.bob].sorted()
    #expect(recovery.withoutSecret == (page == vault ? active : []), comment)
    #expect(recovery.withoutCredentials == (page == vault ? active : []), comment)
    for context in accounts where recovery.withoutKey.contains(context.account) {
      #expect(context.loginName == .lost && context.attributes == .lost)
    }
    #expect(accounts.first { $0.account == LivedBook.dee }?.loginName == .forgotten, comment)
  }
}

extension RecordedEvent {
  /// The event as it is where the keys of accounts are lost.
  fileprivate func without(_ keys: [AccountID]) -> RecordedEvent {
    guard let account, keys.contains(account), personal != nil else { return self }
    return RecordedEvent(
      position: position, id: id, account: account, revision: revision, session: session,
      kind: kind, version: version, at: at, cause: cause, writer: writer, data: data,
      personal: .lost)
  }
}
