import GatebookCrypto
import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

@Suite struct BackupTests {
  @discardableResult
  private func backUp(
    _ store: EventStore, _ path: String, replacing: Bool = false
  ) async throws(GatebookError) -> BookCopy {
    try await store.backUp(
      to: path, replacing: replacing, random: SystemRandom(), progress: { _, _ in })
  }

  @Test func `a backup is a whole book, opens with the book's key, and is its owner's`()
    async throws
  {
    let book = try await TestBook.written()
    let store = try await book.open()
    let path = book.folder.file("copy")
    let head = try store.makeReader().head()
    let copy = try await backUp(store, path)
    #expect(copy.events == head.size)
    #expect(copy.place == .known(path))
    #expect(copy.kind == .backup)
    let verdict = try await BookVerifier(path: path).verify()
    #expect(verdict.ok, "\(verdict.problems)")
    #expect(verdict.root == head.root)
    let reader = try BookReader.open(at: path, key: book.key)
    #expect(try reader.context(of: TestBook.ada)?.loginName == .known("ada"))
    #expect(try reader.secret(of: TestBook.ada, purpose: "session") == Array("s3cret".utf8))
    #expect(try reader.checkProjections().ok)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let events = try store.makeReader().events(EventFilter())
    #expect(events.last?.kind == "book.backedUp")
    #expect(events.last?.data["events"]?.integer == head.size)
    #expect(events.last?.data["copy"]?.text == copy.id.description)
    #expect(!book.folder.names.contains { $0.hasPrefix("copy-draft") })
    await store.close()
    // A backup can be used as a book.
    let second = try await EventStore.open(
      at: path, key: book.key, program: TestBook.program, clock: book.clock, random: SystemRandom(),
      wait: .seconds(30))
    _ = try await second.append(.about(TestBook.ada))
    await second.close()
    #expect(try await BookVerifier(path: path).verify().ok)
  }

  @Test func `the place is encrypted in the book, and in no event`() async throws {
    let book = try await TestBook.written()
    let store = try await book.open()
    let path = book.folder.file("of-ada-lovelace")
    try await backUp(store, path)
    #expect(try book.files(with: Array("of-ada-lovelace".utf8)).isEmpty)
    #expect(try book.sealedReader().copies().map(\.place) == [.sealed])
    #expect(try book.reader().copies().map(\.place) == [.known(path)])
    await store.close()
    #expect(try book.files(with: Array("of-ada-lovelace".utf8)).isEmpty)
  }

  @Test func `a backup while others write is a prefix of the book`() async throws {
    let book = try await TestBook.written(events: 3000)
    let (store, other) = (try await book.open(), try await book.open())
    let path = book.folder.file("copy")
    let writing = Task {
      var written = 0
      while !Task.isCancelled {
        _ = try await other.append(.about(TestBook.ada, "\(written)"))
        written += 1
      }
      return written
    }
    for _ in 0..<3 { try await backUp(store, path, replacing: true) }
    writing.cancel()
    #expect(try await writing.value > 0)
    let copied = try BookReader.open(at: path, key: book.key).events(EventFilter())
    let events = try book.reader().events(EventFilter())
    #expect(copied.count > 3000)
    #expect(events.count > copied.count)
    #expect(Array(events.prefix(copied.count)) == copied)
    #expect(try await BookVerifier(path: path).verify().ok)
    #expect(try book.reader().copies().count == 1)
    await store.close()
    await other.close()
    #expect(try await book.verify().ok)
  }

  @Test func `the copies that hold a key are those between its account's coming and going`()
    async throws
  {
    let book = try TestBook()
    let store = try await book.open()
    try await backUp(store, book.folder.file("before"))
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    try await backUp(store, book.folder.file("with"))
    _ = try await store.append(.login(TestBook.bob, SessionID(high: 2, low: 2)))
    // One that came to nothing anybody knows of.
    _ = try await store.begin(.backup, at: book.folder.file("begun"), random: SystemRandom())
    _ = try await store.append(.erasing(TestBook.ada))
    try await backUp(store, book.folder.file("after"))
    await store.close()
    func names(_ account: AccountID) throws -> [String] {
      try book.reader().copies(withKeyOf: account).map {
        String($0.place.value?.split(separator: "/").last ?? "")
      }
    }
    #expect(try names(TestBook.ada) == ["with", "begun"])
    #expect(try names(TestBook.bob) == ["begun", "after"])
    #expect(try book.files(with: book.wrappedKey(of: TestBook.bob)) == ["after", "test.book"])
  }

  @Test func `no place is taken that is not free`() async throws {
    let book = try await TestBook.written()
    let store = try await book.open()
    let taken = book.folder.file("letter")
    try FileBytes.write(Array("Dear Ada".utf8), to: taken)
    let places = [
      taken, book.path, book.path + "-wal", book.folder.path, "/dev/null",
      book.folder.file("none/copy"), "",
    ]
    for place in places {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        try await backUp(store, place, replacing: place != taken)
      }
    }
    #expect(try FileBytes.read(taken) == Array("Dear Ada".utf8))
    #expect(try store.makeReader().copies().isEmpty)
    #expect(!book.folder.names.contains { $0.hasSuffix("-draft") })
    try await backUp(store, taken, replacing: true)
    #expect(try await BookVerifier(path: taken).verify().ok)
    await store.close()
  }

  @Test func `another book is never replaced`() async throws {
    let book = try await TestBook.written()
    let other = try await TestBook.written(events: 1)
    let store = try await book.open()
    let open = try await other.open()
    await expect(.configurationInvalid) { () throws(GatebookError) in
      try await backUp(store, other.path, replacing: true)
    }
    _ = try await open.append(.note())
    await open.close()
    #expect(try await other.verify().ok)
    // Nor is one that nobody has open.
    let error = await expect(.configurationInvalid) { () throws(GatebookError) in
      try await backUp(store, other.path, replacing: true)
    }
    #expect(error?.message.contains("another book") == true)
    #expect(try await other.verify().ok)
    await store.close()
  }

  @Test func `what a killed backup has left is taken away, and another's draft is not`()
    async throws
  {
    let book = try await TestBook.written()
    let store = try await book.open()
    let path = book.folder.file("copy")
    try FileBytes.write([1, 2, 3], to: path + "-draft", mode: 0o644)
    try #require(chmod(path + "-draft", 0o1600) == 0)
    try await backUp(store, path)
    #expect(try await BookVerifier(path: path).verify().ok)
    // Killed between the two names: the draft is the backup itself.
    try #require(link(path, path + "-draft") == 0)
    let whole = try FileBytes.read(path)
    let held = try DraftFile.open(for: path, .backup)
    #expect(try FileBytes.read(path) == whole)
    await expect(.storageBusy) { () throws(GatebookError) in
      try await backUp(store, path, replacing: true)
    }
    withExtendedLifetime(held) {}
    await store.close()
  }

  @Test func `a file that only has the name of a draft is never touched`() async throws {
    let book = try await TestBook.written()
    let store = try await book.open()
    let path = book.folder.file("copy")
    try FileBytes.write([1, 2, 3], to: path + "-draft", mode: 0o600)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      try await backUp(store, path)
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await store.archive(to: path) { _, _ in }
    }
    #expect(try FileBytes.read(path + "-draft") == [1, 2, 3])
    #expect(!FileBytes.exists(path))
    for suffix in ["-journal", "-reserve", "-wal"] {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        try await backUp(store, book.path + suffix)
      }
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await store.archive(to: book.path + suffix) { _, _ in }
      }
    }
    #expect(try store.makeReader().copies().isEmpty)
    await store.close()
  }

  @Test func `no archive is replaced, and a book is never its own draft`() async throws {
    let book = try await TestBook.written()
    let store = try await book.open()
    let path = book.folder.file("past")
    _ = try await store.archive(to: path) { _, _ in }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      try await backUp(store, path, replacing: true)
    }
    await store.close()
    let draft = book.path + "-draft"
    try #require(rename(book.path, draft) == 0)
    let moved = try await EventStore.open(
      at: draft, key: book.key, program: TestBook.program, clock: book.clock,
      random: SystemRandom(), wait: .zero)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      try await backUp(moved, book.path)
    }
    await moved.close()
    #expect(try await BookVerifier(path: draft).verify().ok)
  }

  @Test func `a cancelled backup leaves nothing`() async throws {
    let book = try await TestBook.written(events: 3000)
    let store = try await book.open()
    let path = book.folder.file("copy")
    let task = Task { () async -> GatebookError? in
      do throws(GatebookError) {
        _ = try await store.backUp(
          to: path, replacing: false, random: SystemRandom(),
          progress: { _, _ in withUnsafeCurrentTask { $0?.cancel() } })
        return nil
      } catch {
        return error
      }
    }
    #expect(await task.value?.code == .cancelled)
    #expect(!FileBytes.exists(path))
    #expect(!FileBytes.exists(path + "-draft"))
    #expect(try store.makeReader().copies().isEmpty)
    await store.close()
  }
}
