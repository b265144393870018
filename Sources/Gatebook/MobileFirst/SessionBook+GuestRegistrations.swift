extension SessionBook {
  /// Takes up a client registration that no account owns and nobody uses: one whose login came to
  /// nothing, or ended with its process.
  ///
  /// - Returns: The registration, held for the manager; `nil` when there is none.
  func takeUpRegistration(
    for app: MobileFirstApp, by manager: AuthorizationManager
  ) throws(GatebookError) -> GuestRegistration? {
    for guest in try guestRegistrations() where guest.fits(app) {
      guard try claim(guest.id, for: manager) else { continue }
      // Until we held it, an account may have taken it over.
      if let current = try guestRegistrations().first(where: { $0.id == guest.id }) {
        return current
      }
      claims[guest.id] = nil
    }
    return nil
  }

  /// Seals a client registration that no account owns yet, with the event that tells of it.
  ///
  /// - Parameters:
  ///   - registration: The registration.
  ///   - id: Where to keep it.
  ///   - event: What tells of it.
  ///   - place: Where the event belongs.
  ///   - manager: Who uses it.
  /// - Returns: Where it is kept; `nil` when it could not be kept for this manager alone.
  /// - Throws: Storage failures; then neither is recorded.
  func keep(
    _ registration: ClientRegistration, at id: SessionID, _ event: AuthorizationEvent,
    at place: AuthorizationPlace, for manager: AuthorizationManager
  ) async throws(GatebookError) -> SessionID? {
    var append = Append([place.proposed(event)])
    let isHeld = try claim(id, for: manager)
    if isHeld {
      append.vault = [
        .keepAttempt(
          id, deadline: Self.never,
          content: GuestRegistration(id: id, registration: registration).record.encoded)
      ]
    }
    try await commit(append)
    return isHeld ? id : nil
  }

  /// Lets go of a registration that an account has taken over.
  func release(_ id: SessionID?) {
    if let id { claims[id] = nil }
  }

  private func claim(
    _ id: SessionID, for manager: AuthorizationManager
  ) throws(GatebookError) -> Bool {
    if let holder = claims[id]?.manager { return holder === manager }
    // What a manager held that is gone is let go of first: its lock would stand in our own way.
    claims = claims.filter { $0.value.manager != nil }
    guard let lock = try reader.takeLock(ofAttempt: id) else { return false }
    claims[id] = RegistrationClaim(manager: manager, lock: lock)
    return true
  }

  private func guestRegistrations() throws(GatebookError) -> [GuestRegistration] {
    try reader.attempts().compactMap { GuestRegistration($0) }
  }

  /// A registration waits for nothing that could come too late.
  private static let never = Timestamp(rawValue: .max)
}
