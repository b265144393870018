/// The hashes of a Merkle tree.
///
/// RFC 6962 section 2.1: "the hash calculations for leaves and nodes differ. This domain
/// separation is required to give second preimage resistance."
extension SHA256 {
  private static let leafPrefix: UInt8 = 0x00
  private static let nodePrefix: UInt8 = 0x01

  /// The hash of a leaf: SHA-256(0x00 || bytes).
  package func leaf(_ bytes: [UInt8]) -> Digest {
    bytes.withUnsafeBytes { leaf($0) }
  }

  /// The hash of a leaf whose bytes lie in a buffer.
  package func leaf(_ bytes: UnsafeRawBufferPointer) -> Digest {
    begin(with: SHA256.leafPrefix)
    add(bytes.baseAddress, bytes.count)
    return digest()
  }

  /// The hash of an inner node: SHA-256(0x01 || left || right).
  package func node(_ left: Digest, _ right: Digest) -> Digest {
    // Both lie side by side, and are added by one call.
    withUnsafeBytes(of: (left, right)) { both in
      begin(with: SHA256.nodePrefix)
      add(both.baseAddress, both.count)
    }
    return digest()
  }

  /// The root of a tree without leaves: SHA-256 of nothing.
  package var ofNothing: Digest {
    begin()
    return digest()
  }

  private func begin(with prefix: UInt8) {
    begin()
    withUnsafeBytes(of: prefix) { add($0.baseAddress, $0.count) }
  }

  private func digest() -> Digest {
    Digest { finish(into: $0.baseAddress) }
  }
}
