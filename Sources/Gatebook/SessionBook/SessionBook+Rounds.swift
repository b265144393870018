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
