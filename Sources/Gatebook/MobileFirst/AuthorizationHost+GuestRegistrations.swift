extension AuthorizationHost {
  /// Takes up a client registration that no account owns, and under which nobody has answered: one
  /// whose flow came to nothing before that, or ended with its process.
  ///
  /// Abandoned registrations that nobody may take are ended.
  ///
  /// - Returns: The registration, held for the manager; `nil` when there is none.
  func takeUpRegistration(
    for app: MobileFirstApp, by manager: AuthorizationManager
  ) async throws(GatebookError) -> GuestRegistration? {
    await endLeftRegistrations()
    for guest in try waitingRegistrations() where guest.fits(app) {
      guard try claim(guest.id, for: manager) else { continue }
      // Until we held it, somebody may have answered under it, or an account have taken it over.
      if let current = try waitingRegistrations().first(where: { $0.id == guest.id }) {
        return current
      }
      authorizations.claims[guest.id] = nil
    }
    return nil
  }

  /// Releases the claims of managers that are gone.
  ///
  /// Ends the registrations that nobody may take, with their key pairs: used ones, and those that
  /// have waited too long.
  func endLeftRegistrations() async {
    releaseDeadClaims()
    let now = ledger.clock.now().wall
    let left = (try? guestRegistrations().filter { !$0.isWaiting(at: now) }) ?? []
    for guest in left {
      // Whose manager lives is in use. What cannot be ended now is ended by the next one.
      guard let lock = try? ledger.reader.takeLock(ofAttempt: guest.id) else { continue }
      await end(guest)
      withExtendedLifetime(lock) {}
    }
  }

  /// As ``endLeftRegistrations()``, where a manager of this book is gone; a closed book holds
  /// nothing, and blocks nobody.
  func purgeAbandonedRegistrations() async {
    guard authorizations.claims.values.contains(where: { $0.manager == nil }) else { return }
    await endLeftRegistrations()
  }

  /// Ends the registrations that the managers of this book have used: they cannot continue with
  /// them.
  func endOwnRegistrations() async {
    let own =
      (try? guestRegistrations().filter { $0.isUsed && authorizations.claims[$0.id] != nil }) ?? []
    for guest in own { await end(guest) }
  }

  private func end(_ guest: GuestRegistration) async {
    // It is refused where somebody else was faster.
    _ = try? await ledger.commit(Append([], vault: [.endAttempt(guest.id)]))
  }

  /// Encrypts a client registration that no account owns yet, with its event.
  ///
  /// - Parameters:
  ///   - registration: The registration.
  ///   - id: Where to keep it.
  ///   - isUsed: Whether the next request under it carries an answer.
  ///   - event: What tells of it.
  ///   - place: Where the event belongs.
  ///   - manager: Who uses it.
  /// - Returns: Where it is kept; `nil` when it could not be kept for this manager alone.
  /// - Throws: Storage failures; then neither is recorded.
  func keep(
    _ registration: ClientRegistration, at id: SessionID, isUsed: Bool,
    _ event: ProposedEvent, at place: FlowContext, for manager: AuthorizationManager
  ) async throws(GatebookError) -> SessionID? {
    var append = Append([place.proposed(event)])
    let isHeld = try claim(id, for: manager)
    if isHeld {
      append.vault = [
        GuestRegistration(
          id: id, registration: registration, isUsed: isUsed, at: ledger.clock.now().wall
        ).change
      ]
    }
    try await ledger.commit(append)
    return isHeld ? id : nil
  }

  /// Lets go of a registration that an account has taken over.
  func release(_ id: SessionID?) {
    if let id { authorizations.claims[id] = nil }
  }

  private func claim(
    _ id: SessionID, for manager: AuthorizationManager
  ) throws(GatebookError) -> Bool {
    if let holder = authorizations.claims[id]?.manager { return holder === manager }
    // First: their locks would block us.
    releaseDeadClaims()
    guard let lock = try ledger.reader.takeLock(ofAttempt: id) else { return false }
    authorizations.claims[id] = RegistrationClaim(manager: manager, lock: lock)
    return true
  }

  /// Lets go of what managers held that are gone.
  private func releaseDeadClaims() {
    authorizations.claims = authorizations.claims.filter { $0.value.manager != nil }
  }

  /// The registrations that somebody may take up.
  private func waitingRegistrations() throws(GatebookError) -> [GuestRegistration] {
    let now = ledger.clock.now().wall
    return try guestRegistrations().filter { $0.isWaiting(at: now) }
  }

  private func guestRegistrations() throws(GatebookError) -> [GuestRegistration] {
    try ledger.reader.attempts().compactMap { GuestRegistration($0) }
  }
}
