internal import GatebookCrypto
internal import GatebookEvents

/// The problems of a part of a book, and the first event that they are about.
struct Findings: Sendable {
  private(set) var problems: [String] = []
  private(set) var firstBad: Position?

  /// Adds a problem that is at no one position.
  mutating func note(_ problem: String) { problems.append(problem) }

  /// Adds a problem; its position counts as the first bad one if no earlier problem had one.
  mutating func note(_ problem: String, firstAt position: Int64) {
    note(problem)
    if firstBad == nil { firstBad = Position(rawValue: position) }
  }

  /// Adds a problem; its position counts as the first bad one if it is the earliest.
  mutating func note(_ problem: String, earliestAt position: Int64) {
    note(problem)
    firstBad = min(firstBad ?? Position(rawValue: position), Position(rawValue: position))
  }

  /// Adds the problems of others; the earlier of the first bad positions counts.
  mutating func add(_ others: Findings) {
    problems += others.problems
    firstBad = [firstBad, others.firstBad].compactMap(\.self).min()
  }

  /// Checks one event: its leaf and its form.
  ///
  /// - Parameters:
  ///   - row: Its row, with ``EventLeaves/columns``.
  ///   - leaves: Computes its leaf again.
  /// - Returns: The leaf; `nil` where none can be made.
  /// - Throws: `storage` failures.
  mutating func judge(
    _ row: some RowValues, _ leaves: inout EventLeaves
  ) throws(GatebookError) -> Digest? {
    let position = row.integer(0)
    let stored = Digest(bytes: row.raw(13))
    guard let leaf = try leaves.leaf(of: row) else {
      note(
        "The event at position \(position) refers to an entry that does not exist.",
        firstAt: position)
      return nil
    }
    if leaf != stored { note("The event at position \(position) was changed.", firstAt: position) }
    if let problem = EventForm.problem(row, at: position) { note(problem, firstAt: position) }
    return leaf
  }
}

extension GatebookError {
  /// What a verdict says of it.
  var finding: String { cause.map { "\(message) (\($0))" } ?? message }
}
