extension SessionBook {
  /// An account's context, now and after each change by any process.
  ///
  /// The current value comes first. Changes by other processes appear within 50 ms: while somebody iterates,
  /// the book's version is read that often (2 µs). The expiry of the session and its offline limit also produce
  /// a value. The stream ends when its consumer ends, when the book closes, or when the book can no longer be
  /// read.
  public nonisolated func contexts(of account: AccountID) -> AsyncStream<SessionContext> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task { [weak self] in
        var seen: SessionContext?
        var version: Int64?
        while !Task.isCancelled {
          // What ends by itself ends without a commit.
          let known = seen.map { $0.state.isUsable && $0.endsWithTime } == true ? nil : version
          guard let self, let read = try? await self.read(account, unless: known) else { break }
          if let context = read.context, context != seen {
            seen = context
            continuation.yield(context)
          }
          version = read.version
          try? await Task.sleep(for: .milliseconds(50))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Reads a context if anything was committed since a version.
  private func read(
    _ account: AccountID, unless version: Int64?
  ) throws(GatebookError) -> (version: Int64, context: SessionContext?) {
    let now = try ledger.reader.dataVersion()
    guard now != version else { return (now, nil) }
    return (now, try ledger.context(of: account))
  }
}
