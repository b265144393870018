internal import GatebookCrypto
internal import GatebookEvents

/// Roots over the beginning of a log, from the stored leaves and subtrees: all that a proof needs.
struct PartialTree {
  private let connection: Connection
  private let hash = SHA256()

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// The root over the first `size` events; `nil` when a stored part of it is missing.
  func root(of size: Int64) throws(GatebookError) -> Digest? {
    var frontier = Frontier()
    var done: Int64 = 0
    for level in stride(from: Int64(56), through: 8, by: -8) {
      while size - done >= 1 << level, let root = try subtree(level, done >> level) {
        frontier.append(root, level: level, hash)
        done += 1 << level
      }
    }
    let statement = try connection.statement(
      "SELECT leaf FROM event WHERE position > ?1 AND position <= ?2 ORDER BY position")
    statement.bind(1, done)
    statement.bind(2, size)
    defer { statement.reset() }
    while try statement.step() {
      guard let leaf = Digest(bytes: statement.raw(0)) else { return nil }
      frontier.append(leaf, hash) { _ in }
    }
    return frontier.size == size ? frontier.root(hash) : nil
  }

  /// The stored root of one subtree; `nil` when there is none.
  func subtree(_ level: Int64, _ number: Int64) throws(GatebookError) -> Digest? {
    let statement = try connection.statement(
      "SELECT root FROM subtree WHERE level = ?1 AND number = ?2")
    statement.bind(1, level)
    statement.bind(2, number)
    defer { statement.reset() }
    return try statement.step() ? Digest(bytes: statement.raw(0)) : nil
  }
}
