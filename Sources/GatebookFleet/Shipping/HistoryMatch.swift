internal import Gatebook
internal import GatebookStore

/// How the history of a book relates to those that a fleet has of it.
///
/// ```
/// the fleet has a beginning of the book      -> continues
/// the book has a beginning of what it has    -> ahead
/// both have events of their own after some   -> forks
/// the fleet needs events from an archive     -> gap
/// the fleet begins after the book's end      -> precedes, or ahead if the fleet forgot its events
/// ```
enum HistoryMatch {
  /// The book continues a branch.
  case continues(FleetBranch)
  /// The fleet has more events of a branch than the book, and no others.
  case ahead(FleetBranch)
  /// The book has left a branch after an event.
  case forks(FleetBranch, after: Int64)
  /// The fleet needs these events of an archive first.
  case gap(FleetBranch, ClosedRange<Int64>)
  /// The book, or the archive, ends before the first event that the fleet has.
  case precedes(FleetBranch)
  /// Both agree in an event, and not in what comes before it.
  case differs(FleetBranch, at: Int64)

  /// Compares a book with all histories of it.
  ///
  /// - Parameters:
  ///   - reader: The book.
  ///   - extent: Which events it has.
  ///   - standing: What the fleet has; at least one branch.
  ///   - connection: The fleet.
  /// - Returns: The relation to the branch that has most in common with the book.
  /// - Throws: `storage` and `fleet` failures.
  static func find(
    _ reader: BookReader, _ extent: LogExtent, _ standing: Standing, _ connection: FleetConnection
  ) throws(GatebookError) -> HistoryMatch? {
    let comparison = HistoryComparison(reader: reader, extent: extent, connection: connection)
    var best: (match: HistoryMatch, common: Int64)?
    for branch in standing.branches {
      let found = try comparison.compare(branch)
      guard let former = best else {
        best = found
        continue
      }
      if found.common > former.common
        || found.common == former.common && former.match.isFork && !found.match.isFork
      {
        best = found
      }
    }
    return best?.match
  }

  private var isFork: Bool { if case .forks = self { true } else { false } }
}

/// Compares a book with single branches of it in a fleet.
private struct HistoryComparison {
  let reader: BookReader
  let extent: LogExtent
  let connection: FleetConnection

  /// The relation to one branch, and how many events both have in common.
  func compare(
    _ branch: FleetBranch
  ) throws(GatebookError) -> (match: HistoryMatch, common: Int64) {
    let size = min(branch.size, extent.size)
    // A fleet that has nothing of it yet. A branch without events has its parent's up to there.
    if branch.parent == nil, branch.size < branch.first, branch.forgotten == 0 {
      guard branch.size < extent.first - 1 else { return (.continues(branch), branch.size) }
      return (.gap(branch, branch.size + 1...extent.first - 1), branch.size)
    }
    if branch.forgotten > 0, extent.size <= branch.forgotten { return try compareForgotten(branch) }
    if branch.parent == nil, branch.forgotten == 0, extent.size < branch.first {
      return (.precedes(branch), 0)
    }
    if branch.size < extent.first - 1 {
      guard let root = branch.root, let own = try reader.root(ofFirst: branch.size) else {
        return (.gap(branch, branch.size + 1...extent.first - 1), branch.size)
      }
      // What is archived cannot be compared event by event: the archive can.
      guard root == own else { return (.forks(branch, after: 0), 0) }
      return (.gap(branch, branch.size + 1...extent.first - 1), branch.size)
    }
    if size == branch.size, let root = branch.root, let own = try reader.root(ofFirst: size) {
      if root == own { return (.continues(branch), size) }
      guard try isCommon(size, branch) != true else {
        // A tree that a recovery restarted has other roots over the same events.
        return extent.isProven ? (.differs(branch, at: size), size) : (.forks(branch, after: 0), 0)
      }
    } else if try isCommon(size, branch) ?? (size == extent.first - 1) {
      return size < branch.size ? (.ahead(branch), size) : (.continues(branch), size)
    }
    guard try sharesForgotten(branch) ?? true else { return (.forks(branch, after: 0), 0) }
    let common = try lastCommon(before: size, branch)
    guard common < size else {
      return size < branch.size ? (.ahead(branch), size) : (.continues(branch), size)
    }
    return (.forks(branch, after: common), common)
  }

  /// The relation to a branch of which the fleet forgot all events that the book has.
  ///
  /// Only the root after the last forgotten one is known: nothing tells a copy that ends before it
  /// from an older state of the book.
  private func compareForgotten(
    _ branch: FleetBranch
  ) throws(GatebookError) -> (match: HistoryMatch, common: Int64) {
    guard extent.size == branch.forgotten, let isShared = try sharesForgotten(branch) else {
      return (.ahead(branch), 0)
    }
    guard isShared else { return (.forks(branch, after: 0), 0) }
    return (
      branch.size == branch.forgotten ? .continues(branch) : .ahead(branch), branch.forgotten
    )
  }

  /// The last event before one that both have: events that differ are never followed by common
  /// ones, for each has an identity of its own.
  private func lastCommon(
    before position: Int64, _ branch: FleetBranch
  ) throws(GatebookError) -> Int64 {
    var (known, foreign) = (max(extent.first - 1, branch.forgotten), position)
    while foreign - known > 1 {
      let middle = known + (foreign - known) / 2
      if try isCommon(middle, branch) ?? true { known = middle } else { foreign = middle }
    }
    return known
  }

  /// Whether the events that the fleet forgot are the book's too; `nil` if the book cannot tell, or
  /// if the fleet forgot none.
  private func sharesForgotten(_ branch: FleetBranch) throws(GatebookError) -> Bool? {
    guard branch.forgotten > 0, let root = branch.forgottenRoot,
      let own = try reader.root(ofFirst: branch.forgotten)
    else { return nil }
    return root == own
  }

  /// Whether both have the same event at a position; `nil` where the book lost it.
  private func isCommon(
    _ position: Int64, _ branch: FleetBranch
  ) throws(GatebookError) -> Bool? {
    guard let own = try reader.leaf(at: position) else { return nil }
    let rows = try connection.run(
      "SELECT gatebook.leaf($1, $2, $3)", .identity(reader.id), .small(branch.number),
      .integer(position))
    return rows.first?.optionalBytes(0) == own
  }
}
