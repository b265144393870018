/// An account's requests, and the tokens for those that an app sends itself.
final class Requests {
  let ledger: Ledger
  let challenges: Challenges
  let renewals: Renewals
  let offline: OfflineSessions

  init(
    _ ledger: Ledger, _ challenges: Challenges, _ renewals: Renewals, _ offline: OfflineSessions
  ) {
    self.ledger = ledger
    self.challenges = challenges
    self.renewals = renewals
    self.offline = offline
  }
}
