/// A renewal that the server granted and the book could not take, such as on a full disk: it serves
/// from memory until it can be written (rule 5).
struct UnsavedRenewal {
  /// The session that was renewed, as it was.
  let former: OpenSession
  let outcome: Outcome
  let stored: StoredSession
  let started: Position
  /// When the answer came.
  let moment: Moment
  /// Keeps other processes from sending what is used up.
  let lock: AccountLock

  /// The session as it is in memory.
  ///
  /// - Parameter read: What the book knows.
  /// - Returns: `nil` when that is not the former session any more.
  func over(_ read: OpenSession) -> OpenSession? {
    guard read.isStill(former) else { return nil }
    var state = read.state
    state.generation += 1
    if outcome.partialRenewal == nil {
      let life = outcome.life(at: moment, kept: former.state.offset)
      state.renewed = life
      state.offset = life.offset
      state.expires = outcome.lifetime.map { life.wall + $0 }
      state.isRenewable = outcome.isRenewable
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
