import GatebookTestSupport

/// Damaged copies of good samples: what a parser must survive.
///
/// The seed is an argument of each test that uses it, so a failure, even a trap, names it.
struct Mutations: Sequence, IteratorProtocol {
  /// The seeds that every test of this kind runs with.
  static let seeds: [UInt64] = [1, 2, 3, 4]

  private let samples: [[UInt8]]
  private let marks: [UInt8]
  private var left = 1000
  private var random: SplitMix

  /// Makes 1,000 damaged copies.
  ///
  /// - Parameters:
  ///   - samples: Texts that the parser takes.
  ///   - marks: Characters that mean something to the parser, inserted more often than others.
  ///   - seed: Repeats the same damages.
  init(of samples: [String], marks: String, seed: UInt64) {
    self.samples = samples.map { Array($0.utf8) }
    self.marks = Array(marks.utf8) + [0, 9, 10, 13, 0x20, 0x7F, 0x80, 0xC3, 0xED, 0xFF]
    random = SplitMix(seed: seed)
  }

  mutating func next() -> [UInt8]? {
    guard left > 0, var bytes = samples.randomElement(using: &random) else { return nil }
    left -= 1
    for _ in 0..<Int.random(in: 1...6, using: &random) { damage(&bytes) }
    return bytes
  }

  private mutating func damage(_ bytes: inout [UInt8]) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = Swift.min(bytes.count, place + Int.random(in: 0...4, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0: bytes.removeSubrange(place..<end)
    case 1: bytes.removeSubrange(place...)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
    case 4 where place < bytes.count:
      bytes[place] = marks.randomElement(using: &random) ?? 0
    case 5:
      guard let other = samples.randomElement(using: &random) else { return }
      bytes.insert(contentsOf: other.suffix(Int.random(in: 0...8, using: &random)), at: place)
    default: bytes.insert(marks.randomElement(using: &random) ?? 0, at: place)
    }
  }
}
