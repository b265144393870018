/// How a login begins, succeeds and fails: each in one place.
final class Logins {
  let ledger: Ledger
  let documents: Documents
  let challenges: Challenges
  let outbox: Outbox
  /// Hears how logins end.
  var loginDelegate: (any LoginDelegate)?
  /// Logins under way in this process.
  var loggingIn: Set<Person> = []

  init(_ ledger: Ledger, _ documents: Documents, _ challenges: Challenges, _ outbox: Outbox) {
    self.ledger = ledger
    self.documents = documents
    self.challenges = challenges
    self.outbox = outbox
  }
}
