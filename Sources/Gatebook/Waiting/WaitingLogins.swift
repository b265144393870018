/// Logins as a person sees them: at once, on a page of the server, or with a code on another
/// device.
///
/// A login that waits for its page or its code is kept encrypted in the book: another process can
/// finish it.
final class WaitingLogins {
  let ledger: Ledger
  let challenges: Challenges
  let outbox: Outbox
  let logins: Logins
  /// Logins whose page a `logIn` of this process shows.
  var visiting: Set<SessionID> = []
  /// Redirects that belong to no login.
  var strays = StrayRedirects()

  init(_ ledger: Ledger, _ challenges: Challenges, _ outbox: Outbox, _ logins: Logins) {
    self.ledger = ledger
    self.challenges = challenges
    self.outbox = outbox
    self.logins = logins
  }
}
