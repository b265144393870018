/// Sessions of a gateway, whose connection the app keeps itself.
final class GatewaySessions {
  let ledger: Ledger
  let renewals: Renewals
  let offline: OfflineSessions

  init(_ ledger: Ledger, _ renewals: Renewals, _ offline: OfflineSessions) {
    self.ledger = ledger
    self.renewals = renewals
    self.offline = offline
  }
}
