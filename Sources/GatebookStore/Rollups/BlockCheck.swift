internal import GatebookEvents

/// Compares the summaries of blocks with the events in them, while somebody reads these in their
/// order.
///
/// A search for a kind or a time skips the blocks that a summary rules out: a wrong one hides
/// events.
struct BlockCheck {
  /// Summaries that differ from their events; at most 20.
  private(set) var problems: [String] = []
  /// Why summaries cannot be read.
  private(set) var failure: GatebookError?
  private let rows: BlockRows
  // Nobody believes summaries that another version of the folds made.
  private var isOver = false
  // The blocks that are being read; `nil` where their first events were not seen.
  private var lower: Block?
  private var upper: Block?
  private static let maximumProblems = 20

  /// Begins in the middle of a log.
  ///
  /// - Parameters:
  ///   - reader: The book.
  ///   - start: The last event that is not seen.
  init(_ reader: BookReader, after start: Int64) {
    rows = BlockRows(reader.connection)
    do throws(GatebookError) {
      isOver = try !reader.hasRollups()
      // What the baseline counts is in no block.
      let floor = try Baseline.read(reader.connection)?.floor ?? 0
      lower = Self.block(Block.levels.lower, after: start, floor)
      upper = Self.block(Block.levels.upper, after: start, floor)
    } catch {
      end(error)
    }
  }

  private static func block(_ level: Int64, after start: Int64, _ floor: Int64) -> Block? {
    let number = start >> level
    return start == floor || start == number << level ? Block(level: level, number: number) : nil
  }

  /// Takes the next event.
  mutating func take(_ event: RollupEvent, at position: Int64) {
    guard !isOver else { return }
    lower?.add(event)
    guard position % Block.size == 0 else { return }
    do throws(GatebookError) {
      try endLower(at: position)
      if position & (1 << Block.levels.upper - 1) == 0 { try endUpper(at: position) }
    } catch {
      end(error)
    }
  }

  private mutating func end(_ failure: GatebookError) {
    self.failure = failure
    isOver = true
  }

  private mutating func endLower(at position: Int64) throws(GatebookError) {
    if let lower {
      try compare(lower)
      upper?.add(lower)
    }
    lower = Block(level: Block.levels.lower, number: position >> Block.levels.lower)
  }

  private mutating func endUpper(at position: Int64) throws(GatebookError) {
    if let upper { try compare(upper) }
    upper = Block(level: Block.levels.upper, number: position >> Block.levels.upper)
  }

  private mutating func compare(_ block: Block) throws(GatebookError) {
    guard problems.count < Self.maximumProblems else { return }
    let stored = try rows.block(block.level, block.number)
    guard stored != block else { return }
    // After the last one, events are read: an older writer may have left them without a summary.
    if stored == nil, try rows.count(block.level) <= block.number { return }
    problems.append("\(block.summary) differs from them.")
  }
}
