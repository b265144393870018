/// The one fold behind all projections: of the present, of a rebuild, of a moment in the past.
///
/// Whoever folds incrementally puts the states of the accounts and sessions that the next events
/// touch in first, and reads afterwards which ones changed.
package struct BookFold: Sendable {
  /// The version of this code: projections written by another one are folded anew.
  package static let version: Int64 = 1

  package var roster = Roster()
  package var accounts: [AccountID: AccountState] = [:]
  package var sessions: [SessionID: SessionRecord] = [:]
  /// What changed since the caller last emptied it.
  package var changes = Changes()

  /// Names of changed rows.
  package struct Changes: Sendable {
    package var roster = false
    package var accounts: Set<AccountID> = []
    package var sessions: Set<SessionID> = []

    package init() {}
  }

  package init() {}

  /// Takes the book's next event.
  package mutating func apply(_ entry: LogEntry) {
    if roster.apply(entry) { changes.roster = true }
    guard let account = entry.account else { return }
    changes.accounts.insert(account)
    if entry.kind == .accountAdded {
      accounts[account] = AccountState(added: entry)
      return
    }
    let former = accounts[account]?.session
    accounts[account]?.apply(entry)
    if let former, entry.kind == .loginSucceeded, former != entry.session {
      sessions[former]?.replace(at: entry.at, by: entry.position)
      changes.sessions.insert(former)
    }
    updateSession(of: account, entry)
  }

  private mutating func updateSession(of account: AccountID, _ entry: LogEntry) {
    guard let state = accounts[account], let session = state.session, session == entry.session
    else { return }
    sessions[session] = SessionRecord(of: account, state)
    changes.sessions.insert(session)
  }
}

extension BookFold.Changes {
  /// Everything that a fold of a whole log holds.
  package init(all fold: BookFold) {
    // Before the first switch there is no row for the roster, so a rebuild makes none either.
    roster = fold.changes.roster
    accounts = Set(fold.accounts.keys)
    sessions = Set(fold.sessions.keys)
  }
}
