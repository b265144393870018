/// What a server granted and the book could not take, such as on a full disk: it is kept in memory
/// until it can be written (rule 5).
struct HeldGrant {
  /// What was granted.
  let proof: any SessionProof
  /// The renewal, which serves from memory; `nil` for a login, which is no session before it is
  /// written (rule 7).
  var renewal: UnsavedRenewal?
  /// Whether nobody has logged the account out since.
  var isWanted = true
  /// Keeps other processes from sending what is used up.
  let lock: AccountLock
  /// Writes it.
  ///
  /// - Returns: The login that it was; `nil` for a renewal, and for a login that is not wanted.
  let write: () async throws(GatebookError) -> LoggedIn?
}

/// A renewal that the server granted, for as long as the book has not taken it.
struct UnsavedRenewal {
  /// The session that was renewed, as it was.
  let former: OpenSession
  let outcome: Outcome
  let stored: StoredSession
  let started: Position
  /// When the answer came.
  let moment: Moment

  /// The session as it is in memory.
  ///
  /// - Parameter read: What the book knows.
  /// - Returns: `nil` when that is not the former session any more.
  func over(_ read: OpenSession) -> OpenSession? {
    guard read.isStill(former) else { return nil }
    var state = read.state
    state.generation += 1
    if outcome.partialRenewal == nil {
      let life = outcome.recordedLife(at: moment, kept: former.state.offset)
      state.begin(life, at: moment.wall)
    }
    state.intent = nil
    state.deferral = nil
    state.renewalEnd = nil
    state.unanswered = 0
    state.doubt = nil
    // The server gave its word, whether the disk could take it or not.
    state.state = .active
    state.verifiedAt = moment.wall
    state.offline = state.offline?.confirmed(at: moment)
    return OpenSession(
      context: read.context.renewed(at: moment.wall), state: state, session: read.session,
      stored: stored,
      jar: outcome.jar)
  }
}
