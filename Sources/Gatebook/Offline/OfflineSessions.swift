/// Sessions that are used without the network, and the limit that their login set for that.
final class OfflineSessions {
  let ledger: Ledger
  let outbox: Outbox
  let logins: Logins
  let renewals: Renewals

  init(_ ledger: Ledger, _ outbox: Outbox, _ logins: Logins, _ renewals: Renewals) {
    self.ledger = ledger
    self.outbox = outbox
    self.logins = logins
    self.renewals = renewals
  }
}
