public import Gatebook
internal import GatebookThreads

/// Random bytes that are the same in every run with the same seed: for tests, never for secrets.
public final class SeededRandom: RandomSource {
  private let generator: Guarded<SplitMix>

  /// Makes a source; each seed has a sequence of its own.
  public init(seed: UInt64 = 1) {
    generator = Guarded(SplitMix(seed: seed))
  }

  /// The next bytes of the sequence; no two calls get the same ones.
  public func bytes(_ count: Int) -> [UInt8] {
    generator.withLock { $0.bytes(count) }
  }
}
