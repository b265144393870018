internal import GatebookCrypto

/// What tells offline whether a password is the one that the server took at the last login, and
/// tells nothing else.
///
/// scrypt (RFC 7914) at N = 2^17, r = 8, p = 1: the costs that OWASP's Password Storage Cheat Sheet
/// names first, those of the book's passphrase too. One check takes 128 MiB and about half a
/// second. It is kept encrypted; a password has too little entropy for a plain hash.
struct OfflineVerifier: Equatable, Sendable {
  private let salt: [UInt8]
  private let hash: [UInt8]
  private let cost: Cost

  /// What the work costs; kept, so that it can grow.
  private struct Cost: Equatable {
    var n = 1 << 17
    var r = 8
    var p = 1
  }

  /// Makes one; `nil` when the machine has not the memory for it.
  ///
  /// - Parameters:
  ///   - password: The password, byte for byte as it is typed.
  ///   - salt: 16 random bytes of its own.
  /// - Returns: The verifier.
  static func make(of password: Secret, salt: [UInt8]) async -> OfflineVerifier? {
    let cost = Cost()
    guard let hash = await derive(password, salt, cost) else { return nil }
    return OfflineVerifier(salt: salt, hash: hash, cost: cost)
  }

  /// Whether a password is the one; compared in constant time.
  ///
  /// - Returns: `nil` when the machine has not the memory to find out.
  func accepts(_ password: Secret) async -> Bool? {
    guard let hash = await Self.derive(password, salt, cost) else { return nil }
    return ConstantTime.equal(hash, self.hash)
  }

  /// Beside the book's actor, which has others to serve meanwhile.
  private static func derive(_ password: Secret, _ salt: [UInt8], _ cost: Cost) async -> [UInt8]? {
    await Task.detached {
      password.withBytes { bytes in
        Scrypt.derive(
          password: bytes, salt: salt, cost: cost.n, blockSize: cost.r, parallelism: cost.p,
          count: length)
      }
    }.value
  }

  private static let length = 32
}

extension OfflineVerifier {
  /// Reads what `encoded` wrote; `nil` for anything else, such as costs that nobody would set.
  init?(_ bytes: [UInt8]) {
    guard let facts = Facts(decoding: bytes),
      let salt = facts["salt"]?.text.flatMap({ Hex.decode($0) }), salt.count >= 16,
      let hash = facts["hash"]?.text.flatMap({ Hex.decode($0) }), hash.count == Self.length,
      let n = facts["cost"]?.integer, let r = facts["blockSize"]?.integer,
      let p = facts["parallelism"]?.integer, (2...1 << 20).contains(n), (1...64).contains(r),
      // 1 GiB at most, as for a passphrase.
      (1...16).contains(p), n * r <= 1 << 23
    else { return nil }
    self.init(salt: salt, hash: hash, cost: Cost(n: Int(n), r: Int(r), p: Int(p)))
  }

  /// The verifier for the vault.
  var encoded: [UInt8] {
    let facts: Facts = [
      "blockSize": .integer(Int64(cost.r)), "cost": .integer(Int64(cost.n)),
      "hash": .text(Hex.encode(hash)), "parallelism": .integer(Int64(cost.p)),
      "salt": .text(Hex.encode(salt)),
    ]
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
