extension SessionBook {
  /// An account's context, now and after each change by any process.
  ///
  /// The current value comes first. Changes by other processes appear within 50 ms: while somebody
  /// iterates, the book's version is read that often (2 µs). The expiry of the session and its
  /// offline limit also produce a value. The stream ends when its consumer ends, when the book
  /// closes, or when the book can no longer be read.
  public nonisolated func contexts(of account: AccountID) -> AsyncStream<SessionContext> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task { [watch = BookWatch(self)] in
        var watch = watch
        var seen: SessionContext?
        // An expiry needs no commit.
        while let context = try? await watch.next(
          always: seen?.changesWithTime ?? true,
          { [seen] book throws(GatebookError) in
            let context = try book.context(of: account)
            return context == seen ? nil : context
          })
        {
          seen = context
          continuation.yield(context)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// All accounts, now and after each change by any process.
  ///
  /// ```swift
  /// for try await accounts in book.accountChanges() {
  ///   show(accounts)   // the present ones first
  /// }
  /// ```
  ///
  /// - Returns: A sequence that begins with the present accounts, and ends when the book is closed
  ///   or released.
  public nonisolated func accountChanges() -> AccountChanges {
    AccountChanges(self)
  }

  /// The events after a position, then each event that any process records from now on.
  ///
  /// ```swift
  /// let failures = EventFilter(failedOnly: true)
  /// for try await event in book.events(following: .start, matching: failures) {
  ///   print(event.position, event.kind)
  /// }
  /// ```
  ///
  /// Keep the position of the last event, and pass it after a restart: no event is left out, and
  /// none comes twice.
  ///
  /// - Parameters:
  ///   - position: The event before the first one; `.start` for all.
  ///   - filter: Which events; its `after` and `limit` do not count.
  /// - Returns: A sequence in the order of the book, which ends when the book is closed or
  ///   released.
  public nonisolated func events(
    following position: Position, matching filter: EventFilter = EventFilter()
  ) -> FollowedEvents {
    FollowedEvents(self, following: position, matching: filter)
  }

  /// The events that match a filter, in the order of the book.
  ///
  /// - Parameter filter: Which events.
  /// - Returns: Events with their personal data decrypted.
  /// - Throws: `storage` failures.
  public func events(matching filter: EventFilter) throws(GatebookError) -> [RecordedEvent] {
    try ledger.reader.events(filter)
  }
}

extension SessionContext {
  /// Whether time alone can change it, without a commit.
  var changesWithTime: Bool { state.isUsable && endsWithTime }
}
