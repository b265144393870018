/// Erasing, copying, archiving, rebuilding, and moving the key.
final class BookCare {
  let ledger: Ledger
  let challenges: Challenges
  let outbox: Outbox
  let waiting: WaitingLogins
  let logouts: Logouts

  init(
    _ ledger: Ledger, _ challenges: Challenges, _ outbox: Outbox, _ waiting: WaitingLogins,
    _ logouts: Logouts
  ) {
    self.ledger = ledger
    self.challenges = challenges
    self.outbox = outbox
    self.waiting = waiting
    self.logouts = logouts
  }
}
