import GatebookCrypto
import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

/// Archives of archives, and what is left of one that was not ended.
@Suite struct LeftArchiveTests {
  @Test func `a file that the book does not continue is removed by the next archive there`()
    async throws
  {
    let book = try await RollupBook.make(events: 300)
    let place = book.folder.file("past.book")
    var twin = try TestBook()
    twin.key = book.key
    try FileBytes.copy(book.path, to: twin.path)
    let other = try await twin.open()
    _ = try await other.archive(to: place) { _, _ in }
    await other.close()
    let store = try await book.open()
    // Somebody's: the book knows nothing of it.
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await store.archive(to: place) { _, _ in }
    }
    // As if a process had been killed before the book was continued.
    _ = try await store.begin(.archive, at: place, random: SystemRandom())
    _ = try await store.append(.note())
    let archive = try await store.archive(to: place) { _, _ in }
    #expect(archive.end.rawValue == (try store.makeReader().head().size) - 1)
    let copies = try store.makeReader().copies()
    #expect(copies.map(\.events) == [archive.end.rawValue])
    // The archive that the book continues is kept in any case.
    await store.close()
    try book.tamper("UPDATE copy SET events = NULL")
    let again = try await book.open()
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await again.archive(to: place) { _, _ in }
    }
    await again.close()
    #expect(try await BookVerifier(path: book.path).verify(archive: place).ok)
  }

  @Test func `the time at which an archive ends is compared with it`() async throws {
    let book = try await RollupBook.make(events: 300)
    let store = try await book.open()
    let archive = book.folder.file("past.book")
    _ = try await store.archive(to: archive) { _, _ in }
    await store.close()
    #expect(try await BookVerifier(path: book.path).verify(archive: archive).ok)
    try book.tamper("UPDATE opening SET latest = 0")
    let verdict = try await BookVerifier(path: book.path).verify(archive: archive)
    #expect(
      verdict.problems == [
        "The archive ends at a different time than the book records."
      ])
  }

  @Test func `a checkpoint from an older archive is no alarm`() async throws {
    let book = try await RollupBook.make(events: 300)
    let note = try book.reader().checkpoint()
    let store = try await book.open()
    try await RollupBook.fill(store, from: 301, upTo: 700, seed: 3)
    let files = [book.folder.file("past1.book"), book.folder.file("past2.book")]
    for (index, file) in files.enumerated() {
      _ = try await store.archive(to: file) { _, _ in }
      try await RollupBook.fill(store, from: 8, upTo: 108, seed: UInt64(5 + index))
    }
    await store.close()
    let refused = await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await BookVerifier(path: book.path).verify(against: note, archive: files[1])
    }
    #expect(refused?.message.contains("in an older archive") == true)
    let verdict = try await BookVerifier(path: files[1]).verify(against: note, archive: files[0])
    #expect(verdict.ok, "\(verdict.problems)")
  }

  @Test(arguments: [
    "DELETE FROM opening", "UPDATE opening SET floor = floor + 1",
    "UPDATE opening SET first = first + 1",
  ])
  func `where a book's beginning is lost, its archive is not the mistake`(
    _ damage: String
  ) async throws {
    let book = try await RollupBook.make(events: 300)
    let store = try await book.open()
    let file = book.folder.file("past.book")
    _ = try await store.archive(to: file) { _, _ in }
    await store.close()
    try book.tamper(damage)
    let verdict = try await BookVerifier(path: book.path).verify(archive: file)
    #expect(!verdict.ok)
    #expect(Set(verdict.problems).count == verdict.problems.count, "\(verdict.problems)")
  }

  @Test func `an archive that is not there, or is cut, is not the book`() async throws {
    let book = try await RollupBook.make(events: 300)
    let store = try await book.open()
    let file = book.folder.file("past.book")
    _ = try await store.archive(to: file) { _, _ in }
    await store.close()
    let missing = await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await BookVerifier(path: book.path).verify(archive: file + "-none")
    }
    #expect(missing?.message.contains("There is no archive at") == true)
    try FileBytes.copy(file, to: file + "-cut")
    truncate(file + "-cut", 50)
    let cut = await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await BookVerifier(path: book.path).verify(archive: file + "-cut")
    }
    #expect(cut?.message.contains("The archive cannot be read") == true)
  }
}
