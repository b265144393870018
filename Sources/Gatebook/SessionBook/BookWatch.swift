/// Looks at a book until something in it has changed; it does not keep the book.
struct BookWatch: Sendable {
  private weak let book: SessionBook?
  private let clock: any BookClock
  private var commits = CommitWatch()
  private var hasFailed = false

  init(_ book: SessionBook) {
    self.book = book
    clock = book.effects.clock
  }

  /// Waits for something new.
  ///
  /// After a failure the next call pauses before it looks again, so that nobody fails all the time.
  ///
  /// - Parameters:
  ///   - always: Whether to read although nobody has committed, because time alone may change what
  ///     is read.
  ///   - read: Reads it; `nil` if there is nothing new.
  /// - Returns: What is new; `nil` once the book is closed or released, or the task is cancelled.
  /// - Throws: What reading throws.
  mutating func next<Value: Sendable>(
    always: Bool,
    _ read: @Sendable (isolated SessionBook) throws(GatebookError) -> Value?
  ) async throws(GatebookError) -> Value? {
    while !Task.isCancelled {
      if hasFailed { await clock.pause(for: CommitWatch.interval) }
      hasFailed = true
      guard let look = try await book?.look(commits, always: always, read) else { break }
      hasFailed = false
      commits = look.commits
      if look.value != nil || look.isLast { return look.value }
      await clock.pause(for: CommitWatch.interval)
    }
    return nil
  }
}

extension SessionBook {
  /// What one look at a book has found.
  fileprivate struct Look<Value: Sendable>: Sendable {
    var commits: CommitWatch
    var value: Value?
    /// Whether the book was closed before.
    var isLast: Bool
  }

  fileprivate func look<Value: Sendable>(
    _ commits: CommitWatch, always: Bool,
    _ read: @Sendable (isolated SessionBook) throws(GatebookError) -> Value?
  ) throws(GatebookError) -> Look<Value> {
    var commits = commits
    // What was recorded last is still told after the end.
    let isLast = grants.isDone
    let isNew = try commits.look(ledger.reader)
    return Look(
      commits: commits, value: isNew || always ? try read(self) : nil, isLast: isLast)
  }
}
