/// The one fold of all projections: of the present, of a rebuild, of a moment in the past.
///
/// For an incremental fold, first put in the row of the account that the next event touches.
/// Before a login, put in that of its former session, too. Read afterwards which rows changed.
package struct BookFold: Sendable {
  /// The version of this code: projections of another one are rebuilt.
  package static let version: Int64 = 14

  package var roster = Roster()
  private var hasNewRoster = false
  private var accountRows = FoldRows<AccountID, Account>()
  private var sessionRows = FoldRows<SessionID, Session>()

  private struct Account: Sendable {
    var state: AccountState
    /// The place of the row of the session that its events belong to.
    var session: Int?
  }

  private struct Session: Sendable {
    var record: SessionRecord?
    /// The place of the account whose state says what the record is; `nil` where `record` does.
    ///
    /// A record is made when somebody asks for it, or when its account's state begins to say
    /// something else: to make one after each event takes a tenth of the fold.
    var source: Int?
  }

  /// Names of changed rows.
  package struct Changes: Sendable {
    package var roster = false
    package var accounts: Set<AccountID> = []
    package var sessions: Set<SessionID> = []

    package init() {}
  }

  package init() {}

  /// Takes the book's next event; one of an account that was never added changes nothing.
  package mutating func apply(_ entry: LogEntry) {
    _ = attempt(entry)
  }

  /// Takes the book's next event, if the row of its account is here.
  ///
  /// - Returns: Whether it is. If not, the event is to be applied when the row was put in.
  package mutating func attempt(_ entry: LogEntry) -> Bool {
    if roster.apply(entry) { hasNewRoster = true }
    guard let account = entry.account else { return true }
    guard entry.kind != .accountAdded else {
      add(account, entry)
      return true
    }
    guard let place = accountRows.find(account) else { return false }
    let former = accountRows.read(place) { $0.state.session }
    // From this event on the state says more than the record of its session.
    if former != entry.session { settleSession(ofAccountAt: place) }
    accountRows[place].state.apply(entry)
    if entry.kind == .loginSucceeded, let former, former != entry.session {
      replace(former, by: entry)
    }
    updateSession(ofAccountAt: place, entry)
    return true
  }

  private mutating func add(_ account: AccountID, _ entry: LogEntry) {
    if let place = accountRows.place(of: account) { settleSession(ofAccountAt: place) }
    let place = accountRows.put(Account(state: AccountState(added: entry)), for: account)
    accountRows.markChanged(place)
  }

  private mutating func replace(_ session: SessionID, by entry: LogEntry) {
    guard let place = sessionRows.place(of: session) else { return }
    settleSession(at: place)
    sessionRows[place].record?.replace(at: entry.at, by: entry.position)
  }

  private mutating func updateSession(ofAccountAt place: Int, _ entry: LogEntry) {
    let (session, known) = accountRows.read(place) { ($0.state.session, $0.session) }
    guard let session, session == entry.session else { return }
    let row: Int
    if let known, sessionRows.id(at: known) == session {
      row = known
    } else {
      row = sessionRows.place(of: session) ?? sessionRows.put(Session(), for: session)
      accountRows[place].session = row
    }
    sessionRows[row].source = place
  }

  /// Makes the record of an account's session, before the account's state says something else.
  private mutating func settleSession(ofAccountAt place: Int) {
    guard let row = accountRows.read(place, { $0.session }),
      sessionRows.read(row, { $0.source }) == place
    else { return }
    settleSession(at: row)
  }

  private mutating func settleSession(at row: Int) {
    guard sessionRows.read(row, { $0.source }) != nil else { return }
    let record = sessionRows.read(row, record)
    sessionRows.settle(row) { $0 = Session(record: record) }
  }

  private func record(_ session: Session) -> SessionRecord? {
    guard let source = session.source else { return session.record }
    let account = accountRows.id(at: source)
    return accountRows.read(source) { SessionRecord(of: account, $0.state) }
  }

  /// What changed since the caller last forgot it.
  package var changes: Changes {
    var changes = Changes()
    changes.roster = hasNewRoster
    changes.accounts = accountRows.changed
    changes.sessions = sessionRows.changed
    return changes
  }

  package mutating func forgetChanges() {
    hasNewRoster = false
    accountRows.forgetChanges()
    sessionRows.forgetChanges()
  }

  /// The accounts' states.
  package var accounts: [AccountID: AccountState] { accountRows.all.mapValues(\.state) }

  /// The sessions' records.
  package var sessions: [SessionID: SessionRecord] { sessionRows.all.compactMapValues(record) }

  /// How many rows it holds.
  package var count: Int { accountRows.count + sessionRows.count }

  package func holds(_ account: AccountID) -> Bool { accountRows.place(of: account) != nil }

  package func holds(_ session: SessionID) -> Bool { sessionRows.place(of: session) != nil }

  package func state(of account: AccountID) -> AccountState? {
    accountRows.place(of: account).map { accountRows[$0].state }
  }

  /// The state of an account as a snapshot of the past holds it; `nil` where there is none.
  package func packedState(of account: AccountID) -> [UInt8]? {
    accountRows.place(of: account).map { accountRows.read($0) { $0.state.packed } }
  }

  package func record(of session: SessionID) -> SessionRecord? {
    sessionRows.place(of: session).flatMap { sessionRows.read($0, record) }
  }

  /// Takes the row of who is current as it was read: from then on there is one.
  package mutating func put(_ roster: Roster) {
    self.roster = roster
    hasNewRoster = true
  }

  /// Takes a row as it was read.
  package mutating func put(_ state: AccountState, of account: AccountID) {
    if let place = accountRows.place(of: account) { settleSession(ofAccountAt: place) }
    accountRows.put(Account(state: state), for: account)
  }

  /// Takes a row as it was read.
  package mutating func put(_ record: SessionRecord, of session: SessionID) {
    sessionRows.put(Session(record: record), for: session)
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
