internal import Gatebook
internal import GatebookEvents
internal import GatebookStore

/// Where the events of one history of a book are in a fleet: a history that left another one has
/// the earlier events there.
struct HistoryParts {
  /// Events of one branch.
  struct Part: Equatable {
    let branch: Int
    /// The last event that is left out.
    let after: Int64
    /// The last event that counts.
    let last: Int64
  }

  /// In the order of positions.
  private(set) var parts: [Part] = []
  /// The first event that the fleet has.
  private(set) var first: Int64
  /// The branch whose rows say what the history begins with where it has not all of its past; `nil`
  /// for none.
  private(set) var branchOfPast: Int?
  /// The branch whose rows say what the history begins with because the fleet forgot the events
  /// before; `nil` for none.
  private(set) var branchOfStart: Int?
  /// The last event that the fleet forgot; 0 for none.
  private(set) var forgotten: Int64 = 0
  /// How many events of these branches came without their encrypted facts; some of them may be
  /// later ones of a branch that was left.
  private(set) var withheld: Int64 = 0

  /// Follows a history to its beginning.
  ///
  /// - Parameters:
  ///   - book: The history.
  ///   - all: All histories of the book.
  ///   - end: The last event that counts; `nil` for all.
  init(of book: FleetBook, among all: [FleetBook], upTo end: Int64? = nil) {
    var branch = book
    var last = end ?? book.size
    first = book.first.rawValue
    while true {
      withheld += branch.withheld
      if branchOfPast == nil, branch.floor > .start, branch.floor.rawValue <= last {
        branchOfPast = branch.branch
      }
      let base = branch.base.rawValue
      // A branch always has a greater number than the one that it left.
      let parent = all.first { $0.branch == branch.parent && $0.branch < branch.branch }
      guard let parent, base > 0, branch.continuesParent, branch.first.rawValue <= base + 1 else {
        first = branch.first.rawValue
        begin(with: branch, among: all)
        parts.append(Part(branch: branch.branch, after: first - 1, last: last))
        break
      }
      parts.append(Part(branch: branch.branch, after: base, last: last))
      last = min(last, base)
      branch = parent
    }
    parts.reverse()
  }

  /// Notes what the first part begins with.
  private mutating func begin(with branch: FleetBook, among all: [FleetBook]) {
    guard branch.forgotten > .start else { return }
    branchOfStart = branch.branch
    forgotten = branch.forgotten.rawValue
    // An earlier state is no longer there.
    let floor = all.first { $0.branch == branchOfPast }?.floor ?? .start
    if floor <= branch.forgotten { branchOfPast = nil }
  }

  /// The same without the events before a position.
  func dropping(before position: Int64) -> [Part] {
    parts.compactMap { part in
      part.last < position
        ? nil : Part(branch: part.branch, after: max(part.after, position - 1), last: part.last)
    }
  }
}
