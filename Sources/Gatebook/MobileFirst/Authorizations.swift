/// What the authorization managers of a book have in common: who they are, and what they record.
final class Authorizations {
  let ledger: Ledger
  let challenges: Challenges
  let outbox: Outbox
  let logins: Logins
  let renewals: Renewals
  let offline: OfflineSessions
  let logouts: Logouts
  let requests: Requests
  /// The managers that somebody holds, by account.
  var managers: [AccountID: WeakAuthorization] = [:]
  /// The client registrations without an account that managers of this book use, by where they are
  /// kept.
  var claims: [SessionID: RegistrationClaim] = [:]
  /// The book, which the managers talk to.
  unowned let host: any AuthorizationHost

  init(
    _ ledger: Ledger, _ challenges: Challenges, _ outbox: Outbox, _ logins: Logins,
    _ renewals: Renewals, _ offline: OfflineSessions, _ logouts: Logouts, _ requests: Requests,
    host: any AuthorizationHost
  ) {
    self.ledger = ledger
    self.challenges = challenges
    self.outbox = outbox
    self.logins = logins
    self.renewals = renewals
    self.offline = offline
    self.logouts = logouts
    self.requests = requests
    self.host = host
  }
}
