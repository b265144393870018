internal import GatebookCrypto

/// What tells offline whether a password is the one that the server took at the last login, and
/// tells nothing else.
///
/// It is hashed by scrypt, at the costs of the book's passphrase, and kept encrypted; a password
/// has too little entropy for a plain hash.
struct OfflineVerifier: Equatable, Sendable {
  private let settings: ScryptSettings
  private let hash: [UInt8]

  /// Makes one; `nil` when the machine has not the memory for it.
  ///
  /// - Parameters:
  ///   - password: The password, byte for byte as it is typed.
  ///   - salt: 16 random bytes of its own.
  /// - Returns: The verifier.
  static func make(of password: Secret, salt: [UInt8]) async -> OfflineVerifier? {
    let settings = ScryptSettings(salt: salt)
    return await derive(password, settings).map { OfflineVerifier(settings: settings, hash: $0) }
  }

  /// Whether a password is the one; compared in constant time.
  ///
  /// - Returns: `nil` when the machine has not the memory to find out.
  func accepts(_ password: Secret) async -> Bool? {
    guard let hash = await Self.derive(password, settings) else { return nil }
    return ConstantTime.equal(hash, self.hash)
  }

  /// Beside the book's actor, which has others to serve meanwhile.
  private static func derive(_ password: Secret, _ settings: ScryptSettings) async -> [UInt8]? {
    await Task.detached { settings.derive(password) }.value
  }
}

extension OfflineVerifier {
  /// Reads what `encoded` wrote; `nil` for anything else, such as costs that nobody would set.
  init?(_ bytes: [UInt8]) {
    guard let facts = Facts(decoding: bytes), let settings = ScryptSettings(record: facts),
      settings.salt.count >= 16, let hash = facts["hash"]?.text.flatMap({ Hex.decode($0) }),
      hash.count == ScryptSettings.count
    else { return nil }
    self.init(settings: settings, hash: hash)
  }

  /// The verifier for the vault.
  var encoded: [UInt8] {
    var facts = settings.record
    facts["hash"] = .text(Hex.encode(hash))
    return facts.encoded
  }
}

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
  func event(savesCredentials: Bool) -> ProposedEvent? {
    switch self {
    case .keep where !savesCredentials:
      var saved = CredentialsSaved(purpose: "offline")
      saved.storage.isOffline = true
      return ProposedEvent(saved)
    case .remove: return ProposedEvent(CredentialsRemoved(purpose: "offline"))
    case .none, .keep: return nil
    }
  }
}
