/// What is wrong with one history of a book, and the first event that it is about.
struct HistoryFindings {
  /// At most so many problems are kept.
  static let maximum = 20

  /// One sentence each.
  private(set) var problems: [String] = []
  /// The first event that is wrong or missing.
  private(set) var firstBad: Int64?
  /// Whether a problem is about no single event.
  private(set) var hasUnplaced = false

  /// Adds a problem that is about no single event.
  mutating func note(_ problem: String) {
    hasUnplaced = true
    add(problem)
  }

  private mutating func add(_ problem: String) {
    guard problems.count < Self.maximum, !problems.contains(problem) else { return }
    problems.append(problem)
  }

  /// Adds a problem with an event.
  ///
  /// - Parameters:
  ///   - position: Where it is; it counts as the first bad one if it is the earliest.
  ///   - problem: A sentence.
  mutating func note(at position: Int64, _ problem: String) {
    add(problem)
    firstBad = min(firstBad ?? position, position)
  }

  /// Adds all that others have found.
  mutating func add(_ others: HistoryFindings) {
    for problem in others.problems { add(problem) }
    hasUnplaced = hasUnplaced || others.hasUnplaced
    if let bad = others.firstBad { firstBad = min(firstBad ?? bad, bad) }
  }
}
