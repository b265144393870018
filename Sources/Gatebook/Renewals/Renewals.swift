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
  /// The generation of each account's access token that the server refused when a renewal had just
  /// brought it.
  var renewedInVain: [AccountID: Int64] = [:]
  /// The generations that a renewal brought which no request has tried yet: the one that it was for
  /// could not be sent twice.
  var untried: [AccountID: Int64] = [:]
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

  /// Opens an account's session; where it was refused and what was saved is logging in instead,
  /// that is waited for.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - mayLogIn: Whether what was saved may be sent where a login with it has met trouble;
  ///     without, no server is asked.
  /// - Returns: The session.
  /// - Throws: `session.refused` when only a login helps.
  func requireSession(
    of account: AccountID, mayLogIn: Bool = true
  ) async throws(GatebookError) -> OpenSession {
    var failure: GatebookError?
    do throws(GatebookError) {
      if let loggedIn = try await grants.save(of: account) { await logins.tell(loggedIn.news) }
    } catch {
      failure = error
    }
    do throws(GatebookError) {
      return try await presentSession(of: account)
    } catch  where error.code == .sessionRefused {
      // The server has granted a session that cannot be written yet.
      if let failure, ledger.held[account]?.renewal == nil { throw failure }
      let isAwaited = try await ledger.waitForLogIn(of: account)
      let isBack = mayLogIn ? try await logInAfterTrouble(account) : false
      guard isBack || isAwaited else { throw error }
      return try await presentSession(of: account)
    }
  }

  /// Opens an account's session as it is now, and ends it when its secret is provably gone.
  func presentSession(of account: AccountID) async throws(GatebookError) -> OpenSession {
    if try await recordExpiry(of: account) {
      throw Ledger.needsLogin(try ledger.context(of: account))
    }
    if let session = try ledger.openSession(of: account) { return session }
    let context = try ledger.context(of: account)
    try await ledger.end(context, reason: .secretMissing, cause: nil)
    throw Ledger.needsLogin(try self.ledger.context(of: account))
  }

  /// Renews a session now, even if it is not due.
  @discardableResult
  func renewNow(
    _ account: AccountID, evenIfUsedUp: Bool = false
  ) async throws(GatebookError) -> Bool {
    let session = try await requireSession(of: account)
    if session.stored.proof.renewable?.renewal(jar: session.jar) == nil {
      guard try savedLogin(inPlaceOf: session) != nil else { return false }
    }
    try await renew(session, evenIfUsedUp ? .insisted : .asked)
    return true
  }

  /// Waits for the renewals under way: a program that ends must not leave one unanswered.
  func settleRenewals() async {
    stopRenewals()
    while let task = running.values.first { _ = await task.value }
  }

  /// Lets no renewal begin any more, and those not that wait for another process.
  @discardableResult
  func stopRenewals() -> Set<AccountID> {
    isClosing = true
    return renewing
  }
}

/// How a renewal ended, and what the login delegate is to hear of a login that took its place.
struct RenewalEnding: Sendable {
  let result: Result<Void, GatebookError>
  let news: [LoginNews]
}
