/// What is known of the events of a full block without reading them: when they were, and of which
/// kinds.
struct Block: Hashable {
  /// How many events a block of level 8 has; one of level 16 has as many of those.
  static let size: Int64 = 256
  static let levels: (lower: Int64, upper: Int64) = (8, 16)

  let level: Int64
  let number: Int64
  private(set) var earliest = Int64.max
  private(set) var latest = Int64.min
  /// Which kinds there are; see ``bit(of:)``.
  private(set) var kinds: Int64 = 0

  /// What it is called where it is not what it should be.
  var summary: String {
    "The summary of events \((number << level) + 1) to \((number + 1) << level)"
  }

  mutating func add(_ event: RollupEvent) {
    earliest = min(earliest, event.at)
    latest = max(latest, event.at)
    kinds |= Self.bit(of: event.kind)
  }

  mutating func add(_ block: Block) {
    earliest = min(earliest, block.earliest)
    latest = max(latest, block.latest)
    kinds |= block.kinds
  }

  /// The bit that says that a kind is there.
  ///
  /// Kinds may share one: then a block is read in vain, but none is left out. The sign is not used.
  static func bit(of kind: Int64) -> Int64 { 1 << ((max(1, kind) - 1) % 63) }
}

/// The blocks that are being filled, while somebody takes events in their order.
struct OpenBlocks {
  // `nil` where their first events were not seen.
  private var lower: Block?
  private var upper: Block?

  /// Begins in the middle of a log.
  ///
  /// - Parameters:
  ///   - start: The last event that is not seen.
  ///   - floor: The last event that the baseline counts: such ones are in no block.
  init(after start: Int64, floor: Int64) {
    func begun(_ level: Int64) -> Block? {
      let number = start >> level
      return start == floor || start == number << level ? Block(level: level, number: number) : nil
    }
    lower = begun(Block.levels.lower)
    upper = begun(Block.levels.upper)
  }

  mutating func add(_ event: RollupEvent) { lower?.add(event) }

  /// Ends the blocks whose last event is at a position, and begins the next ones.
  mutating func end(at position: Int64) -> [Block] {
    guard position % Block.size == 0 else { return [] }
    var ended: [Block] = []
    if let lower {
      ended.append(lower)
      upper?.add(lower)
    }
    lower = Block(level: Block.levels.lower, number: position >> Block.levels.lower)
    guard position & (1 << Block.levels.upper - 1) == 0 else { return ended }
    if let upper { ended.append(upper) }
    upper = Block(level: Block.levels.upper, number: position >> Block.levels.upper)
    return ended
  }
}
