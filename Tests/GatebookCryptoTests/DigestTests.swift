internal import GatebookCrypto
internal import Testing

struct DigestTests {
  private let counting = [UInt8](0..<32)

  @Test
  func `a digest is its 32 bytes and nothing more`() throws {
    #expect(MemoryLayout<Digest>.size == 32)
    #expect(MemoryLayout<Digest>.stride == 32)
    let digest = try #require(Digest(bytes: counting))
    #expect(digest.bytes == counting)
    #expect(digest.withUnsafeBytes { [UInt8]($0) } == counting)
  }

  @Test(arguments: [0, 31, 33, 64])
  func `another number of bytes is no digest`(_ count: Int) {
    #expect(Digest(bytes: bytes(7, times: count)) == nil)
  }

  @Test(arguments: 0..<8)
  func `a digest is copied from any alignment`(_ offset: Int) throws {
    let padded = bytes(0xFF, times: offset) + counting
    let digest = try padded.withUnsafeBytes { buffer in
      Digest(copying: try #require(buffer.baseAddress) + offset)
    }
    #expect(digest.bytes == counting)
  }

  @Test
  func `a digest is made of a slice`() throws {
    let digest = try #require(Digest(bytes: ([9] + counting + [9])[1...32]))
    #expect(digest.bytes == counting)
  }

  @Test
  func `digests differ when one bit differs`() throws {
    let digest = try #require(Digest(bytes: counting))
    let others = try flips(of: counting).map { try #require(Digest(bytes: $0)) }
    #expect(!others.contains(digest))
    #expect(Set(others + [digest, digest]).count == 257)
  }
}
