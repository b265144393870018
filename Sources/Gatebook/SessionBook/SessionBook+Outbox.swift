extension SessionBook {
  /// How many things are still to be said to servers about sessions of an account that ended here.
  package func waitingDeliveries(of account: AccountID) throws(GatebookError) -> Int {
    try ledger.reader.state(of: account)?.outbox.count ?? 0
  }

  /// What came of telling the server of the account's last logout, as the event has it: `done`,
  /// `queued`, `givenUp` (it refuses to hear of it), `unread` (nobody knows what to tell), `none`
  /// (there was nothing to tell); `nil` where no logout was told.
  package func lastFarewell(of account: AccountID) throws(GatebookError) -> String? {
    try ledger.reader.last(.logoutCompleted, of: account).last?
      .facts(of: LogoutCompleted.self)?.server
  }

  /// Tries each due message once within a time limit, for programs that end after their work.
  ///
  /// - Parameter limit: The time limit; undelivered messages keep waiting.
  public func deliverOutbox(within limit: Duration) async {
    // What takes a server too long is written down as a try: it is not the first one again next
    // time.
    _ = await startTask { try? await self.outbox.deliverOutbox(limit: limit) }
      .value(cancelledAfter: limit)
  }
}

extension SessionBook {
  /// Begins to deliver what waits since before the book was opened.
  func keepDelivering() { outbox.keepDelivering() }

  /// The outbox, whose rounds end with the book, also with one that nobody has closed.
  func makeOutbox() -> Outbox {
    Outbox(ledger, challenges, grants) { [weak self, effects] in
      Task {
        while !Task.isCancelled, await self?.deliverRound() == true {
          await effects.clock.pause(for: .seconds(1))
        }
      }
    }
  }

  private func deliverRound() async -> Bool { await outbox.deliverRound() }
}

extension SessionBook {
  /// Whether something that a server granted is only in memory: a program that ends now loses it,
  /// and perhaps the session.
  ///
  /// This is true from the server's answer until it is on disk. The book tries each second to write
  /// what it could not write at once, also after ``close()``.
  public var hasUnwrittenGrants: Bool {
    grants.hasUnwrittenGrants
  }

  /// Waits until everything that servers granted is on disk, for programs that are about to end.
  ///
  /// It waits as long as the book cannot be written, for example because it is locked or its disk
  /// is full. Cancelling the caller does not stop the wait.
  ///
  /// - Parameter tell: Called with the reason why the book cannot be written, and with each new
  ///   reason.
  /// - Throws: Why the book can never be written: `storage.damaged`, `storage.newer`,
  ///   `storage.forked`. The grants are then still in memory, and sessions in this process continue
  ///   with them.
  public func waitUntilWritten(
    _ tell: @escaping @Sendable (GatebookError) async -> Void = { _ in }
  ) async throws(GatebookError) {
    try await grants.waitUntilWritten(tell)
  }
}
