internal import Gatebook
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

struct WriteBehindTests {
  private static let pieceSize = 3 << 20

  /// A piece that no other one equals.
  private func piece(_ number: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: UInt8(number), count: Self.pieceSize)
    bytes[0] = .max
    return bytes
  }

  /// Writes pieces until nobody reads them.
  private func write(_ pieces: Range<Int>, to sink: any ByteSink) throws(GatebookError) -> Bool {
    let behind = try WriteBehind(sink)
    for number in pieces {
      var bytes = piece(number)
      guard try behind.write(&bytes) else { return false }
      guard bytes.isEmpty else { return false }
    }
    return try behind.end()
  }

  @Test func `pieces are written whole and in their order`() throws {
    let sink = MemorySink()
    #expect(try write(0..<4, to: sink))
    #expect(sink.bytes == (0..<4).flatMap(piece))
  }

  @Test func `a body's producer learns that nobody reads it`() throws {
    let sink = MemorySink(readerLeavesAfter: 1)
    #expect(try !write(0..<1000, to: sink))
    #expect(sink.bytes == piece(0))
  }

  @Test func `a reader that leaves before the last piece is reported at the end`() throws {
    #expect(try !write(0..<2, to: MemorySink(readerLeavesAfter: 1)))
  }

  @Test func `what cannot be written is an error, with many pieces or one`() {
    let sink = MemorySink(
      failure: GatebookError(.storageFull, "The disk is full.", remedy: "Free space."))
    for count in [1, 1000] {
      let error = #expect(throws: GatebookError.self) { try write(0..<count, to: sink) }
      #expect(error?.code == .storageFull)
    }
  }

  @Test(arguments: [O_TRUNC, O_APPEND])
  func `a file that is handed to the disk on the way holds all that was written`(
    _ mode: Int32
  ) throws {
    let folder = try TemporaryFolder(named: "gatebook-test")
    defer { folder.remove() }
    let path = "\(folder.path)/long"
    try TextFile.write(Array("head".utf8), to: path)
    let descriptor = open(path, O_WRONLY | mode | O_CLOEXEC)
    try #require(descriptor >= 0)
    #expect(try write(0..<12, to: Descriptor(descriptor)))
    close(descriptor)
    let head = mode == O_APPEND ? Array("head".utf8) : []
    let whole = try TextFile.bytes(path, what: "file", limit: 64 << 20)
    #expect(whole == head + (0..<12).flatMap(piece))
  }
}
