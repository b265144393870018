import GatebookCrypto
import GatebookEvents
import GatebookMigrations
import Glibc
import Testing

@testable import GatebookStore

@Suite struct CreationTests {
  private struct BrokenKey: KeySource {
    func make(
      for book: BookID, random: any RandomSource
    ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
      throw GatebookError(.keyLocked, "Locked.", remedy: "Unlock it.")
    }

    func open(_ description: KeyDescription, of book: BookID) throws(GatebookError) -> Secret {
      throw GatebookError(.keyLocked, "Locked.", remedy: "Unlock it.")
    }
  }

  @Test func `a new book says how it began and is its owner's alone`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    let event = try #require(try book.reader().event(at: Position(rawValue: 1)))
    #expect(event.kind == "book.created")
    #expect(event.data["keySource"] == "memory")
    #expect(event.data["schema"] == .integer(Int64(migrations.count)))
    #expect(event.data["checkpointKey"]?.text?.count == 64)
    for name in book.folder.names {
      var status = stat()
      #expect(stat(book.folder.file(name), &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600, "\(name)")
    }
    await store.close()
  }

  @Test func `a book whose key could not be made is not there, and can be made later`() async throws
  {
    var book = try TestBook()
    book.key = BrokenKey()
    await expect(.keyLocked) { () throws(GatebookError) in _ = try await book.open() }
    #expect(!FileBytes.exists(book.path))
    await expect(.storageNone) { () throws(GatebookError) in _ = try book.sealedReader() }
    book.key = MemoryKey()
    let store = try await book.open()
    await store.close()
    #expect(try book.reader().head().size == 1)
  }

  @Test func `a book whose creation was killed is created again`() async throws {
    let book = try TestBook()
    // The files between the first and the last step of a creation.
    try FileBytes.write([], to: book.path)
    try FileBytes.write([], to: book.path + "-lock")
    let store = try await book.open()
    await store.close()
    #expect(try await book.verify().ok)
  }

  @Test func `an empty file of the user's becomes a book`() async throws {
    let book = try TestBook()
    try FileBytes.write([], to: book.path)
    let store = try await book.open()
    await store.close()
    #expect(try book.reader().head().size == 1)
  }

  @Test func `a removed book can be created again`() async throws {
    let book = try await TestBook.written(events: 1)
    unlink(book.path)
    unlink(book.path + "-wal")
    let store = try await book.open()
    await store.close()
    #expect(try book.reader().head().size == 1)
    #expect(try await book.verify().ok)
  }

  @Test func `many who open a book that is not there yet share one`() async throws {
    let book = try TestBook()
    let receipts = try await withThrowingTaskGroup(of: Receipt.self) { group in
      for index in 0..<8 {
        group.addTask {
          let store = try await book.open()
          let receipt = try await store.append(.note("\(index)"))
          await store.close()
          return receipt
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(receipts.map(\.first.rawValue).sorted() == Array(2...9))
    #expect(try book.reader().events(EventFilter()).filter { $0.kind == "book.created" }.count == 1)
    #expect(try await book.verify().ok)
  }

  @Test func `a place that cannot be written is named as that`() async throws {
    var book = try TestBook()
    book.key = MemoryKey()
    await expect(.storageUnreadable) { () throws(GatebookError) in
      _ = try await EventStore.open(
        at: book.folder.file("no/such/folder/book"), key: book.key, program: TestBook.program,
        clock: book.clock, random: SystemRandom(), wait: .zero)
    }
    // /proc lets nobody make files, not even root.
    await expect(.storageUnreadable) { () throws(GatebookError) in
      _ = try await EventStore.open(
        at: "/proc/book", key: book.key, program: TestBook.program, clock: book.clock,
        random: SystemRandom(), wait: .zero)
    }
  }
}
