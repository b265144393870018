internal import COpenSSL

/// Where unpredictable bytes come from.
public protocol RandomSource: Sendable {
  /// Fresh bytes, fit for keys and nonces; a count of zero gives none.
  func bytes(_ count: Int) -> [UInt8]
}

/// The system's random generator, seeded again in a forked process.
///
/// A generator that fails ends the program: no key is ever made from bytes that are not random.
public struct SystemRandom: RandomSource {
  /// Makes a source; all of them draw from the same generator.
  public init() {}

  /// Fresh bytes, fit for keys and nonces; a count of zero gives none.
  public func bytes(_ count: Int) -> [UInt8] {
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      OpenSSL.require(RAND_bytes(buffer.baseAddress, Int32(count)), "random bytes")
      initialized = count
    }
  }
}
