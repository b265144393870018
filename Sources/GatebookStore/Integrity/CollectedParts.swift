internal import GatebookCrypto
internal import GatebookEvents

/// Puts the verified parts together: the root over all of them, and everything that is wrong.
struct CollectedParts {
  private(set) var firstBad: Position?
  private(set) var problems: [String] = []
  private(set) var root = ""
  private let hash = SHA256()
  private var frontier = Frontier()

  mutating func add(_ part: VerifiedPart) {
    problems += part.problems
    lower(part.firstBad)
    frontier.append(part.frontier, hash)
  }

  /// Compares with the head, and lets SQLite check its own structure.
  mutating func finish(size: Int64, root stored: String, _ reader: BookReader) {
    root = frontier.root(hash).map { Hex.encode($0.bytes) } ?? ""
    do throws(GatebookError) {
      try checkHead(size, stored, reader)
      try checkStructure(reader)
    } catch {
      problems.append("\(error.message) \(error.cause ?? "")")
    }
  }

  private mutating func checkHead(
    _ size: Int64, _ stored: String, _ reader: BookReader
  ) throws(GatebookError) {
    if root != stored, problems.isEmpty {
      problems.append("The root over the events is not the one in the book's head.")
    }
    let behind = try reader.connection.integer(
      "SELECT count(*) FROM event WHERE position > (SELECT size FROM head) OR position < 1")
    if behind > 0 {
      problems.append("There are events behind the end of the log.")
      lower(Position(rawValue: size + 1))
    }
    let gaps = try reader.connection.integer(
      """
      SELECT count(*) FROM (SELECT account FROM event GROUP BY account
        HAVING count(*) != max(revision) OR min(revision) != 1)
      """)
    if gaps > 0 { problems.append("The revisions of \(gaps) streams have gaps.") }
  }

  private mutating func checkStructure(_ reader: BookReader) throws(GatebookError) {
    let statement = try reader.connection.statement("PRAGMA integrity_check(20)")
    defer { statement.reset() }
    while try statement.step() {
      let line = statement.text(0)
      if line != "ok" { problems.append("SQLite: \(line)") }
    }
  }

  /// Compares with a checkpoint: the root over its size must be the one it was signed with.
  mutating func compare(with checkpoint: Checkpoint, _ reader: BookReader) throws(GatebookError) {
    guard checkpoint.size <= frontier.size else {
      problems.append(
        "The book ends at \(frontier.size), but the checkpoint saw \(checkpoint.size) events.")
      return lower(Position(rawValue: frontier.size + 1))
    }
    guard try PartialTree(reader.connection).root(of: checkpoint.size) != checkpoint.root else {
      return
    }
    problems.append(
      "The first \(checkpoint.size) events are not the ones that the checkpoint saw.")
  }

  private mutating func lower(_ position: Position?) {
    guard let position, position < firstBad ?? Position(rawValue: .max) else { return }
    firstBad = position
  }
}
