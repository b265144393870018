internal import COpenSSL

/// SHA-256 (FIPS 180-4) with a context that is made once and reused for every hash.
///
/// Belongs to one thread at a time.
package final class SHA256 {
  private let algorithm: OpaquePointer
  private let context: OpaquePointer
  /// Where a node's prefix and its two children lie side by side: they are added by one call.
  private let nodeInput = UnsafeMutableRawPointer.allocate(
    byteCount: 1 + 2 * Digest.count, alignment: 1)

  /// Makes the context; fetching the algorithm by name is what makes a single hash slow.
  package init() {
    algorithm = OpenSSL.handle(EVP_MD_fetch(nil, "SHA256", nil), "SHA-256")
    context = OpenSSL.handle(EVP_MD_CTX_new(), "a digest context")
  }

  deinit {
    EVP_MD_CTX_free(context)
    EVP_MD_free(algorithm)
    nodeInput.deallocate()
  }

  /// Writes the 32 bytes of the hash.
  package func hash(_ bytes: UnsafeRawBufferPointer, into digest: UnsafeMutableRawPointer) {
    begin()
    add(bytes.baseAddress, bytes.count)
    finish(into: digest)
  }

  /// The 32 bytes of the hash.
  package func hash(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Digest.count) { buffer, initialized in
      begin()
      add(bytes, bytes.count)
      finish(into: buffer.baseAddress)
      initialized = Digest.count
    }
  }

  func begin() {
    OpenSSL.require(EVP_DigestInit_ex2(context, algorithm, nil), "SHA-256")
  }

  func add(_ bytes: UnsafeRawPointer?, _ count: Int) {
    OpenSSL.require(EVP_DigestUpdate(context, bytes, count), "SHA-256")
  }

  func finish(into digest: UnsafeMutableRawPointer?) {
    let bytes = digest?.assumingMemoryBound(to: UInt8.self)
    OpenSSL.require(EVP_DigestFinal_ex(context, bytes, nil), "SHA-256")
  }
}

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
    nodeInput.storeBytes(of: SHA256.nodePrefix, as: UInt8.self)
    (nodeInput + 1).storeBytes(of: left, as: Digest.self)
    (nodeInput + 1 + Digest.count).storeBytes(of: right, as: Digest.self)
    begin()
    add(nodeInput, 1 + 2 * Digest.count)
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
