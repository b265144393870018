import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

/// A key that is lost with the power is a book that nobody opens again.
@Suite(.enabled(if: PageCache.showsSyncs)) struct KeySyncTests {
  private static let book = BookID(high: 1, low: 2)

  @Test func `a new key file is on its disk before a book is made with it`() throws {
    let folder = try TemporaryFolder(onDisk: true)
    let path = folder.file("key")
    _ = try KeyFile(path: path).make(for: Self.book, random: SystemRandom())
    #expect(PageCache.unwrittenPages(of: path) == 0)
  }

  @Test func `so is a key that moves there`() throws {
    let folder = try TemporaryFolder(onDisk: true)
    let path = folder.file("key")
    let key = Secret([UInt8](repeating: 7, count: 32))
    _ = try KeyFile(path: path).keep(key, of: Self.book, random: SystemRandom())
    #expect(PageCache.unwrittenPages(of: path) == 0)
  }

  @Test func `so is one that somebody else has written there`() throws {
    let folder = try TemporaryFolder(onDisk: true)
    let path = folder.file("key")
    let key = [UInt8](repeating: 7, count: 32)
    try FileBytes.write(Array("\(Hex.encode(key))\n".utf8), to: path)
    _ = try KeyFile(path: path).keep(Secret(key), of: Self.book, random: SystemRandom())
    #expect(PageCache.unwrittenPages(of: path) == 0)
  }
}
