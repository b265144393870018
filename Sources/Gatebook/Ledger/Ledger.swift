/// What all rooms of a book read and write with: the log, its readers, and what is known of open
/// sessions.
///
/// It belongs to the book's actor, as all rooms do: a class that is not `Sendable`, whose methods
/// run in the isolation of their caller.
final class Ledger {
  /// The writing side; a failure where the book can be read but not be written.
  let store: Result<EventStore, GatebookError>
  let reader: BookReader
  let effects: Effects
  /// How long to wait for other processes.
  let wait: Duration
  /// When requests wait for renewals.
  let renewalPolicy: RenewalPolicy
  /// Renewals that a full disk could not take yet.
  var unsaved: [AccountID: UnsavedRenewal] = [:]
  /// Takes of cookies under way: each waits for the one before it.
  var cookieTurns: [AccountID: Task<Void, Never>] = [:]
  /// When servers last answered anything.
  var answers: [Origin: Moment] = [:]

  init(
    store: Result<EventStore, GatebookError>, reader: BookReader, effects: Effects,
    wait: Duration, renewalPolicy: RenewalPolicy
  ) {
    self.store = store
    self.reader = reader
    self.effects = effects
    self.wait = wait
    self.renewalPolicy = renewalPolicy
  }

  var clock: any BookClock { effects.clock }
  var random: any RandomSource { effects.random }
  var suffixes: (any PublicSuffixes)? { effects.suffixes }

  /// Records all of an append, durably, or nothing of it.
  @discardableResult
  func commit(_ append: Append) async throws(GatebookError) -> Receipt {
    try await store.get().append(append)
  }

  /// Records what a person wants: not when they have cancelled it while others held the book.
  @discardableResult
  func commitUnlessCancelled(_ append: Append) async throws(GatebookError) -> Receipt {
    var append = append
    append.mayBeGivenUp = true
    return try await commit(append)
  }

  func newSession() throws(GatebookError) -> SessionID {
    guard let id = SessionID(bytes: random.bytes(16)) else { throw .noRandomness }
    return id
  }

  func newAccount() throws(GatebookError) -> AccountID {
    guard let id = AccountID(bytes: random.bytes(16)) else { throw .noRandomness }
    return id
  }
}
