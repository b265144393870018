internal import GatebookCrypto
internal import GatebookEvents

/// The problems of a part of a book, and the first event that they are about.
struct Findings: Sendable {
  private(set) var problems: [String] = []
  private(set) var firstBad: Position?

  /// Adds a problem; its position counts as the first bad one if no earlier problem had one.
  mutating func note(_ problem: String, at position: Int64? = nil) {
    problems.append(problem)
    if firstBad == nil { firstBad = position.map(Position.init(rawValue:)) }
  }

  /// Adds the problems of others; the earlier of the first bad positions counts.
  mutating func add(_ others: Findings) {
    problems += others.problems
    firstBad = [firstBad, others.firstBad].compactMap(\.self).min()
  }

  /// Adds a problem; its position counts as the first bad one if it is the earliest.
  mutating func add(_ problem: String, at position: Int64) {
    var other = Findings()
    other.note(problem, at: position)
    add(other)
  }

  /// Checks one event: its leaf and its form.
  ///
  /// - Parameters:
  ///   - row: Its row, with ``EventLeaves/columns``.
  ///   - leaves: Computes its leaf again.
  /// - Returns: The leaf; `nil` where none can be made.
  /// - Throws: `storage` failures.
  mutating func judge(
    _ row: Statement, _ leaves: inout EventLeaves
  ) throws(GatebookError) -> Digest? {
    let position = row.integer(0)
    let stored = Digest(bytes: row.raw(13))
    guard let leaf = try leaves.leaf(of: row) else {
      note(
        "The event at position \(position) refers to an entry that does not exist.", at: position)
      return nil
    }
    if leaf != stored { note("The event at position \(position) was changed.", at: position) }
    if let problem = EventForm.problem(row, at: position) { note(problem, at: position) }
    return leaf
  }
}

extension GatebookError {
  /// What a verdict says of it.
  var finding: String { cause.map { "\(message) (\($0))" } ?? message }
}
