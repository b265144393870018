import GatebookCrypto
import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

@Suite struct KeyMoveTests {
  /// A key file that ends the process at one point of a move.
  struct DyingKey: KeySource {
    /// The points, in their order; the second opening is the one after the record.
    enum Point: String, CaseIterable, Codable, Sendable {
      case beforeKeep, afterKeep, atProof, afterRecord, beforeRemove, afterRemove
    }

    let point: Point
    let file: KeyFile
    let former: AutomaticKey
    let opened = Counter()

    private func die(at point: Point) {
      if point == self.point { kill(getpid(), SIGKILL) }
    }

    func make(
      for book: BookID, random: any RandomSource
    ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
      try file.make(for: book, random: random)
    }

    func open(_ description: KeyDescription, of book: BookID) throws(GatebookError) -> Secret {
      guard description.parameters["path"] != nil else {
        return try former.open(description, of: book)
      }
      opened.add()
      die(at: opened.value == 1 ? .atProof : .afterRecord)
      return try file.open(description, of: book)
    }

    func keep(
      _ key: Secret, of book: BookID, random: any RandomSource
    ) throws(GatebookError) -> KeyDescription {
      die(at: .beforeKeep)
      let description = try file.keep(key, of: book, random: random)
      die(at: .afterKeep)
      return description
    }

    func remove(
      _ former: KeyDescription, of book: BookID, movedTo place: KeyDescription
    ) throws(GatebookError) -> String? {
      die(at: .beforeRemove)
      _ = try self.former.remove(former, of: book, movedTo: place)
      die(at: .afterRemove)
      return nil
    }
  }

  /// Opens whichever place it is asked for; the key leaves the former one on the way.
  private struct LeavingKey: KeySource {
    let former: KeyFile
    let new: KeyFile
    let leave: @Sendable () -> Void

    func make(
      for book: BookID, random: any RandomSource
    ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
      try new.make(for: book, random: random)
    }

    func open(_ description: KeyDescription, of book: BookID) throws(GatebookError) -> Secret {
      guard description.parameters["path"] == nil else {
        return try new.open(description, of: book)
      }
      leave()
      return try former.open(description, of: book)
    }
  }

  /// A keyring that is locked from its second opening on.
  private struct LockingKey: KeySource {
    let file: KeyFile
    let opened = Counter()

    func make(
      for book: BookID, random: any RandomSource
    ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
      try file.make(for: book, random: random)
    }

    func open(_ description: KeyDescription, of book: BookID) throws(GatebookError) -> Secret {
      opened.add()
      guard opened.value == 1 else {
        throw GatebookError(.keyLocked, "Locked.", remedy: "Unlock it.")
      }
      return try file.open(description, of: book)
    }

    func keep(
      _ key: Secret, of book: BookID, random: any RandomSource
    ) throws(GatebookError) -> KeyDescription {
      _ = try file.keep(key, of: book, random: random)
      return KeyDescription(source: "secret-service", parameters: [:])
    }
  }

  /// A book whose key is at the usual place, with one account.
  private static func usual(
    _ folder: String = "keys"
  ) async throws -> (book: TestBook, key: AutomaticKey, file: String) {
    var book = try TestBook()
    let key = AutomaticKey(folder: book.folder.file(folder))
    book.key = key
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    await store.close()
    let id = try book.sealedReader().id
    return (book, key, "\(book.folder.file(folder))/\(id).key")
  }

  private func expectOpen(_ book: TestBook, _ key: any KeySource) throws {
    let reader = try BookReader.open(at: book.path, key: key)
    #expect(reader.id == (try book.sealedReader().id))
    #expect(try reader.accounts()[0].user["firstName"] == "Ada")
    #expect(
      try reader.secret(of: TestBook.ada, purpose: "session") == Array("s3cret".utf8))
  }

  @Test func `a process that has the book open continues while its key moves`() async throws {
    let (book, key, file) = try await Self.usual()
    let mover = try await book.open()
    let other = try await book.open()
    let reader = try book.reader()
    let move = try await mover.moveKey(
      to: Passphrase { () throws(GatebookError) in Secret("horse") }, random: SystemRandom())
    #expect(move.isMoved && move.unremoved == nil && move.leftovers.isEmpty)
    #expect((move.from, move.to) == ("file", "passphrase"))
    #expect(!FileBytes.exists(file))
    var append = Append([
      ProposedEvent(.accountRenamed, account: TestBook.ada, personal: ["label": "work"])
    ])
    append.vault = [.set(TestBook.ada, purpose: "session", generation: 2, content: [1, 2])]
    _ = try await other.append(append)
    _ = try await other.append(.login(TestBook.bob, SessionID(high: 9, low: 9)))
    #expect(try reader.secret(of: TestBook.ada, purpose: "session") == [1, 2])
    #expect(try other.makeReader().accounts().count == 2)
    await other.close()
    await mover.close()
    await expect(.keyMissing) { () throws(GatebookError) in
      _ = try BookReader.open(at: book.path, key: key)
    }
    let right = Passphrase { () throws(GatebookError) in Secret("horse") }
    let opened = try BookReader.open(at: book.path, key: right)
    #expect(try opened.accounts().map { $0.label } == [.known("work"), nil])
    await expect(.keyWrong) { () throws(GatebookError) in
      let wrong = Passphrase { () throws(GatebookError) in Secret("house") }
      _ = try BookReader.open(at: book.path, key: wrong)
    }
    let changed = try #require(
      try opened.events(EventFilter()).first { $0.kind == "key.changed" })
    #expect(changed.data == ["from": "file", "to": "passphrase"])
    #expect(changed.account == nil && changed.personal == nil)
    #expect(try await book.verify().ok)
    #expect(try book.sealedReader().checkProjections().ok)
  }

  @Test(arguments: DyingKey.Point.allCases)
  func `a move that is killed leaves a book that opens, and can be ended`(
    _ point: DyingKey.Point
  ) async throws {
    let (book, key, file) = try await Self.usual()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [point, path = book.path as String, folder = book.folder.path as String] in
      let dying = DyingKey(
        point: point, file: KeyFile(path: "\(folder)/new"),
        former: AutomaticKey(folder: "\(folder)/keys"))
      let store = try await EventStore.open(
        at: path, key: dying, program: TestBook.program, clock: StepClock(),
        random: SystemRandom(), wait: .seconds(30))
      _ = try await store.moveKey(to: dying, random: SystemRandom())
    }
    try expectOpen(book, key)
    let isRecorded = [.afterRecord, .beforeRemove, .afterRemove].contains(point)
    #expect(FileBytes.exists(file) == (point != .afterRemove))
    #expect(try book.sealedReader().keyDescription.formers.isEmpty == !isRecorded)
    let store = try await book.open()
    let target = KeyFile(path: book.folder.file("new"))
    let move = try await store.moveKey(to: target, random: SystemRandom())
    #expect(move.isMoved == !isRecorded && move.unremoved == nil)
    await store.close()
    #expect(!FileBytes.exists(file))
    #expect(try book.sealedReader().keyDescription.formers.isEmpty)
    try expectOpen(book, target)
    try expectOpen(book, key)
    let changes = try book.sealedReader().events(EventFilter()).filter {
      $0.kind == "key.changed"
    }
    #expect(changes.count == 1)
  }

  @Test func `a key that moves while it is fetched is fetched at its new place`() async throws {
    let (book, _, file) = try await Self.usual()
    let new = book.folder.file("new")
    let leave = { @Sendable in
      guard rename(file, new) == 0 else { return }
      try? book.tamper("UPDATE book SET key_description = '{\"path\":\"\(new)\"}'")
    }
    let leaving = LeavingKey(former: KeyFile(path: file), new: KeyFile(path: new), leave: leave)
    _ = try BookReader.open(at: book.path, key: leaving)
  }

  @Test(arguments: [false, true])
  func `a new place that fails after the record does not cost the former one its key`(
    _ isAutomatic: Bool
  ) async throws {
    let (book, key, file) = try await Self.usual()
    let ring = LockingKey(file: KeyFile(path: book.folder.file("new")))
    // An automatic key knows the former place too: that must not count as the new one's proof.
    let target: any KeySource =
      isAutomatic ? AutomaticKey(folder: book.folder.file("keys"), keyring: ring) : ring
    let store = try await book.open()
    let move = try await store.moveKey(to: target, random: SystemRandom())
    #expect(move.isMoved && move.unremoved?.code == .keyLocked)
    await store.close()
    #expect(FileBytes.exists(file))
    #expect(try book.sealedReader().keySource == "secret-service")
    try expectOpen(book, key)
  }

  @Test func `a file with another key is not overwritten, and the key stays where it was`()
    async throws
  {
    let (book, key, file) = try await Self.usual()
    let other = book.folder.file("other")
    let content = Array((String(repeating: "0", count: 64) + "\n").utf8)
    try FileBytes.write(content, to: other)
    let store = try await book.open()
    await expect(.keyWrong) { () throws(GatebookError) in
      _ = try await store.moveKey(to: KeyFile(path: other), random: SystemRandom())
    }
    await expect(.keyMissing) { () throws(GatebookError) in
      let nowhere = KeyFile(path: book.folder.file("no/such/folder/key"))
      _ = try await store.moveKey(to: nowhere, random: SystemRandom())
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await store.moveKey(to: MemoryKey(), random: SystemRandom())
    }
    await store.close()
    #expect(try FileBytes.read(other) == content)
    #expect(FileBytes.exists(file))
    try expectOpen(book, key)
    #expect(try book.sealedReader().head().size == 4)
  }

  @Test(arguments: ["symbolic link", "hard link", "same path"])
  func `a new place that is the former one by another name stays`(_ way: String) async throws {
    let (book, key, file) = try await Self.usual()
    var name = book.folder.file("name")
    switch way {
    case "symbolic link": try #require(symlink(file, name) == 0)
    case "hard link": try #require(link(file, name) == 0)
    default: name = file
    }
    let store = try await book.open()
    let move = try await store.moveKey(to: KeyFile(path: name), random: SystemRandom())
    #expect(move.isMoved && move.unremoved == nil && move.leftovers.isEmpty)
    await store.close()
    try expectOpen(book, KeyFile(path: name))
    try expectOpen(book, key)
    // A second hard link is a place of its own: the first may go.
    #expect(FileBytes.exists(file) == (way != "hard link"))
  }

  @Test func `a file that the person has named is kept, and reported`() async throws {
    var (book, _, _) = try await Self.usual()
    let named = book.folder.file("named")
    var store = try await book.open()
    _ = try await store.moveKey(to: KeyFile(path: named), random: SystemRandom())
    await store.close()
    book.key = AutomaticKey(folder: book.folder.file("keys"))
    store = try await book.open()
    let move = try await store.moveKey(to: book.key, random: SystemRandom())
    #expect(move.leftovers == [named] && move.unremoved == nil)
    #expect(FileBytes.exists(named))
    await store.close()
  }

  @Test func `a named file that was renamed by hand is kept, and reported by its new name`()
    async throws
  {
    var (book, _, _) = try await Self.usual()
    let (named, renamed) = (book.folder.file("named"), book.folder.file("renamed"))
    var store = try await book.open()
    _ = try await store.moveKey(to: KeyFile(path: named), random: SystemRandom())
    await store.close()
    try #require(rename(named, renamed) == 0)
    book.key = KeyFile(path: renamed)
    store = try await book.open()
    let target = KeyFile(path: book.folder.file("new"))
    let move = try await store.moveKey(to: target, random: SystemRandom())
    #expect(move.isMoved && move.unremoved == nil && move.leftovers == [renamed])
    await store.close()
    try expectOpen(book, target)
  }

  @Test func `half a key that a killed process left is no obstacle`() async throws {
    let (book, _, _) = try await Self.usual()
    let new = book.folder.file("new")
    try FileBytes.write(Array("0123".utf8), to: new + ".new")
    let store = try await book.open()
    _ = try await store.moveKey(to: KeyFile(path: new), random: SystemRandom())
    await store.close()
    #expect(!FileBytes.exists(new + ".new"))
    try expectOpen(book, KeyFile(path: new))
  }

  @Test func `one process at a time moves a key`() async throws {
    let (book, key, _) = try await Self.usual()
    let store = try await book.open()
    let lock = try #require(try AccountLock.take(store.file, .account(0)))
    await expect(.storageBusy) { () throws(GatebookError) in
      _ = try await store.moveKey(
        to: KeyFile(path: book.folder.file("new")), random: SystemRandom())
    }
    withExtendedLifetime(lock) {}
    await store.close()
    try expectOpen(book, key)
  }

  @Test func `a backup from before the move opens by the key at its new place`() async throws {
    let (book, _, _) = try await Self.usual()
    let backup = book.folder.file("backup")
    try FileBytes.copy(book.path, to: backup)
    let store = try await book.open()
    let target = KeyFile(path: book.folder.file("new"))
    _ = try await store.moveKey(to: target, random: SystemRandom())
    await store.close()
    #expect(try BookReader.open(at: backup, key: target).accounts()[0].user["firstName"] == "Ada")
  }

  @Test(
    arguments: [
      #"{"blockSize":8,"cost":2,"parallelism":1,"salt":"00","wrapped":"zz"}"#,
      #"{"blockSize":8,"cost":2,"parallelism":1,"salt":"00","wrapped":"01"}"#,
      #"{"blockSize":8,"cost":2,"parallelism":1,"salt":"00","wrapped":7}"#,
    ])
  func `a damaged key with a passphrase is damage`(parameters: String) throws {
    let description = KeyDescription(
      source: "passphrase",
      parameters: try #require(Facts(decoding: Array(parameters.utf8))))
    let source = Passphrase { () throws(GatebookError) in Secret("x") }
    #expect(throws: GatebookError(.storageDamaged, "", remedy: "")) {
      try source.open(description, of: BookID(high: 1, low: 1))
    }
  }
}
