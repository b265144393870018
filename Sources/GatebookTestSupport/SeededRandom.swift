public import Gatebook
internal import GatebookSystem

/// Random bytes that are the same in every run with the same seed: for tests, never for secrets.
public final class SeededRandom: RandomSource {
  private let generator: Locked<SplitMix>

  /// Makes a source; each seed has a sequence of its own.
  public init(seed: UInt64 = 1) {
    generator = Locked(SplitMix(seed: seed))
  }

  /// The next bytes of the sequence; no two calls get the same ones.
  public func bytes(_ count: Int) -> [UInt8] {
    generator.withLock { $0.bytes(count) }
  }
}

/// The generator SplitMix64: the same seed gives the same numbers, on every machine.
package struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// So many bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) }
  }

  /// So many characters of an alphabet.
  package mutating func text(_ count: Int, of alphabet: String) -> String {
    let characters = Array(alphabet)
    return String((0..<count).map { _ in characters[Int(next() % UInt64(characters.count))] })
  }
}
