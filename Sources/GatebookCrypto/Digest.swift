/// A SHA-256 value: 32 bytes stored inline.
package struct Digest: Hashable, Sendable {
  /// The number of bytes in a digest.
  package static let count = 32

  // In the byte order of memory, so that the struct's own 32 bytes are the digest.
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// Copies 32 bytes from an address of any alignment.
  package init(copying source: UnsafeRawPointer) {
    first = source.loadUnaligned(as: UInt64.self)
    second = source.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    third = source.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    fourth = source.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
  }

  /// Takes exactly 32 bytes; `nil` for any other number.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Digest.count else { return nil }
    self.init { _ = $0.initialize(fromContentsOf: bytes) }
  }

  /// Takes exactly 32 bytes in place; `nil` for any other number.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Digest.count, let start = bytes.baseAddress else { return nil }
    self.init(copying: start)
  }

  /// Lets the body write all 32 bytes of the new digest, which start as zeros.
  package init(writtenBy body: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { raw in
      raw.withMemoryRebound(to: UInt8.self) { body($0) }
    }
    (first, second, third, fourth) = words
  }

  /// The 32 bytes as an array.
  package var bytes: [UInt8] {
    withUnsafeBytes { [UInt8]($0) }
  }

  /// Lends the 32 bytes in place for the time of the call.
  package func withUnsafeBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Swift.withUnsafeBytes(of: self, body)
  }
}
