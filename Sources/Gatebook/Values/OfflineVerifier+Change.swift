extension OfflineVerifier {
  /// What a login does to the means to check its password offline.
  enum Change {
    /// Nothing: nobody typed a password, or nobody allowed to keep what checks it.
    case none
    /// The new one, in the place of any older one.
    case keep(OfflineVerifier)
    /// An older one goes: it may be of another password than the one that was just typed.
    case remove
  }
}

extension OfflineVerifier.Change {
  /// What a login does.
  ///
  /// - Parameters:
  ///   - attempt: The login.
  ///   - mayKeep: Whether the person allows it with this login.
  ///   - hasOne: Whether an earlier one allowed it: that holds until it is taken back.
  init(_ attempt: LoginAttempt, mayKeep: Bool, hasOne: Bool) {
    guard attempt.isByPassword, mayKeep || hasOne else {
      self = .none
      return
    }
    self =
      if let verifier = attempt.verifier { .keep(verifier) } else { hasOne ? .remove : .none }
  }

  /// Whether a password can be checked by it that could not before.
  var isNew: Bool {
    if case .keep = self { true } else { false }
  }

  /// The change of the vault; `nil` for none.
  func change(of account: AccountID) -> Append.VaultChange? {
    switch self {
    case .none: nil
    case .keep(let verifier):
      .set(account, purpose: Purpose.offline, generation: 1, content: verifier.encoded)
    case .remove: .remove(account, purpose: Purpose.offline)
    }
  }

  /// The event that tells of the change where the one of the saved credentials does not.
  ///
  /// - Parameter savesCredentials: Whether the login saves credentials.
  /// - Returns: What is to be recorded.
  func event(savesCredentials: Bool) -> UnplacedEvent? {
    switch self {
    case .keep where !savesCredentials:
      var saved = CredentialsSaved(purpose: "offline")
      saved.storage.isOffline = true
      return UnplacedEvent(saved)
    case .remove: return UnplacedEvent(CredentialsRemoved(purpose: "offline"))
    case .none, .keep: return nil
    }
  }
}
