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
  /// What servers granted and the book could not take yet.
  var held: [AccountID: HeldGrant] = [:]
  /// Takes of cookies under way: each waits for the one before it.
  var cookieTurns: [AccountID: Task<Void, Never>] = [:]
  /// The session of each account as it was read last.
  var lastRead: [AccountID: LastRead] = [:]
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

  /// Records all of an append, unless somebody else has changed what it is about.
  ///
  /// - Returns: `nil` where somebody has, and then nothing was recorded.
  func commitIfUnchanged(_ append: Append) async throws(GatebookError) -> Receipt? {
    do throws(GatebookError) {
      return try await commit(append)
    } catch  where error.code == .preconditionFailed {
      return nil
    }
  }

  /// Writes something; on a full disk in the room that was reserved for it, where there is some.
  func withReserve<Value>(
    _ write: () async throws(GatebookError) -> Value
  ) async throws(GatebookError) -> Value {
    do throws(GatebookError) {
      return try await write()
    } catch  where error.code == .storageFull {
      guard try store.get().reserve.release() else { throw error }
      return try await write()
    }
  }

  func newSession() throws(GatebookError) -> SessionID {
    guard let id = SessionID(bytes: random.bytes(16)) else { throw .noRandomness }
    return id
  }

  func newAccount() throws(GatebookError) -> AccountID {
    guard let id = AccountID(bytes: random.bytes(16)) else { throw .noRandomness }
    return id
  }

  /// Takes turns at changing an account until none is lost to another writer.
  ///
  /// - Parameter turn: Reads first, then commits an append with the revision that it read: what
  ///   somebody writes in between fails it with `precondition.failed`, and the next turn reads that
  ///   too.
  /// - Returns: What the turn brought that was not lost.
  /// - Throws: `storage.busy` when others keep being faster; `precondition.failed` for an account
  ///   that was erased; whatever else a turn throws.
  func retryingOnConflict<Value>(
    _ turn: () async throws(GatebookError) -> Value
  ) async throws(GatebookError) -> Value {
    for _ in 0..<Self.maximumTurns {
      do throws(GatebookError) {
        return try await turn()
      } catch  where error.code == .preconditionFailed && !error.isFinal {
        continue
      }
    }
    throw Self.contended
  }

  /// Each turn lost is one that another writer won; so many in a row are no accident.
  static let maximumTurns = 100

  static var contended: GatebookError {
    GatebookError(
      .storageBusy, "Other processes change this account too often for this change to succeed.",
      kept: "The session is kept.", remedy: "Try again.")
  }

  /// Whether the book is in trouble, and not the session: that never ends one (rule 9).
  static func isStorageOrKeyFailure(_ code: FailureCode) -> Bool {
    code.isOfStorage || code.rawValue.hasPrefix("key.")
  }

  /// Whether the book cannot take events now, though it can be read.
  static func isUnwritable(_ code: FailureCode) -> Bool {
    [.storageFull, .storageReadOnly, .storageBusy].contains(code)
  }

  /// The boot-time clock, for events from which the unconfirmed time is counted.
  func countedClock(of session: OpenSession) -> (boot: Duration?, bootID: BootID?) {
    guard session.state.offline != nil else { return (nil, nil) }
    let now = clock.now()
    return (now.boot, now.bootID)
  }
}

extension Failure {
  /// The failure, as another caller hears of it.
  func told(
    _ code: FailureCode, _ message: String, kept: String, remedy: String
  ) -> GatebookError {
    GatebookError(
      code, message, kept: kept, remedy: remedy, status: status.map { Int($0) }, serverCode: error)
  }
}

/// What a book does outside of itself; each comes in when it is opened.
struct Effects: Sendable {
  /// Sends requests.
  let transport: any Transport
  /// Which domains are public suffixes; `nil`: a cookie's domain must be the host.
  let suffixes: (any PublicSuffixes)?
  /// The time.
  let clock: any BookClock
  /// Keys, nonces and identities.
  let random: any RandomSource
}
