/// The end of a session by its user: in the book at once, then at the server.
final class Logouts {
  let ledger: Ledger
  let grants: Grants
  let outbox: Outbox
  let renewals: Renewals

  init(_ ledger: Ledger, _ grants: Grants, _ outbox: Outbox, _ renewals: Renewals) {
    self.ledger = ledger
    self.grants = grants
    self.outbox = outbox
    self.renewals = renewals
  }
}
