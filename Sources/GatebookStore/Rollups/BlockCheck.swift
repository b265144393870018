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
  // Nobody believes summaries that another version of the folds made: `nil` then.
  private var blocks: OpenBlocks?
  private static let maximumProblems = 20

  /// Begins in the middle of a log.
  ///
  /// - Parameters:
  ///   - reader: The book.
  ///   - start: The last event that is not seen.
  init(_ reader: BookReader, after start: Int64) {
    rows = BlockRows(reader.connection)
    do throws(GatebookError) {
      guard try reader.hasRollups() else { return }
      let floor = try Baseline.read(reader.connection)?.floor ?? 0
      blocks = OpenBlocks(after: start, floor: floor)
    } catch {
      failure = error
    }
  }

  /// Takes the next event.
  mutating func take(_ event: RollupEvent, at position: Int64) {
    blocks?.add(event)
    guard position % Block.size == 0, let ended = blocks?.end(at: position) else { return }
    do throws(GatebookError) {
      for block in ended { try compare(block) }
    } catch {
      failure = error
      blocks = nil
    }
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
