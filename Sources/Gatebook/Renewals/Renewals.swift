/// Keeps sessions usable: renews them, asks their servers whether they are valid, and logs in with
/// what was saved.
///
/// The three are one idea, because each may lead to both others.
final class Renewals {
  let ledger: Ledger
  let challenges: Challenges
  let grants: Grants
  let outbox: Outbox
  let logins: Logins
  let waiting: WaitingLogins
  /// Renewals under way in this process: all who need one wait for the same.
  var running: [AccountID: Task<RenewalEnding, Never>] = [:]
  /// Those of them that have their account's lock: only these may have sent something.
  var renewing: Set<AccountID> = []
  /// The book is closing: no renewal may start.
  var isClosing = false
  /// When what a renewal brought was last to be checked, by the boot-time clock.
  var renewalChecks: [AccountID: Duration] = [:]
  /// The sessions whose server has answered 400 to a request since it last confirmed them.
  var questioned: Set<SessionID> = []
  /// When the server was last asked about such an answer, by the boot-time clock.
  var questions: [SessionID: Duration] = [:]

  init(
    _ ledger: Ledger, _ challenges: Challenges, _ grants: Grants, _ outbox: Outbox,
    _ logins: Logins, _ waiting: WaitingLogins
  ) {
    self.ledger = ledger
    self.challenges = challenges
    self.grants = grants
    self.outbox = outbox
    self.logins = logins
    self.waiting = waiting
  }
}
