internal import GatebookCrypto
internal import GatebookEvents

/// Seals and opens personal facts and secrets under the accounts' data keys.
///
/// Used by one thread.
final class Sealer {
  /// What is sealed, and hence what it is bound to.
  enum Binding {
    case event(EventID, kind: String, version: Int64)
    case vault(purpose: String, generation: Int64)
  }

  let keys: BookKeys
  private let random: any RandomSource
  private let wrap: AuthenticatedCipher
  private var ciphers: [AccountID: AuthenticatedCipher] = [:]
  private static let layout: UInt8 = 1
  private static let cacheLimit = 4096

  init(_ keys: BookKeys, random: any RandomSource) {
    self.keys = keys
    self.random = random
    wrap = AuthenticatedCipher(key: keys.wrap)
  }

  /// Makes a data key for a new account.
  ///
  /// - Returns: The key, wrapped: what `account.key` holds.
  func makeKey(for account: AccountID) -> [UInt8] {
    let key = random.bytes(32)
    remember(AuthenticatedCipher(key: key), for: account)
    return seal(key, with: wrap, associated: keyBinding(account))
  }

  /// Makes an account's key usable.
  ///
  /// - Throws: `storage.damaged` when the wrapped key does not open: the master key was checked.
  func unwrap(_ wrapped: [UInt8], of account: AccountID) throws(GatebookError) {
    guard ciphers[account] == nil else { return }
    guard let key = open(wrapped, with: wrap, associated: keyBinding(account)), key.count == 32
    else { throw .storageDamaged("The key of account \(account) is damaged.") }
    remember(AuthenticatedCipher(key: key), for: account)
  }

  /// Forgets all accounts' keys; each is unwrapped again when it is needed.
  func forget() {
    ciphers = [:]
  }

  /// Whether the account's key is at hand; else it must be unwrapped first.
  func holdsKey(of account: AccountID) -> Bool { ciphers[account] != nil }

  /// Seals bytes; the account's key must be at hand.
  func seal(_ content: [UInt8], of account: AccountID, _ binding: Binding) -> [UInt8]? {
    ciphers[account].map {
      seal(content, with: $0, associated: associated(account, binding))
    }
  }

  /// Opens sealed bytes; `nil` when they were changed or the account's key is not at hand.
  func open(_ sealed: [UInt8], of account: AccountID, _ binding: Binding) -> [UInt8]? {
    ciphers[account].flatMap {
      open(sealed, with: $0, associated: associated(account, binding))
    }
  }

  private func remember(_ cipher: AuthenticatedCipher, for account: AccountID) {
    if ciphers.count >= Self.cacheLimit { ciphers.removeAll() }
    ciphers[account] = cipher
  }

  private func seal(
    _ content: [UInt8], with cipher: AuthenticatedCipher, associated: [UInt8]
  ) -> [UInt8] {
    let nonce = random.bytes(12)
    return [Self.layout] + nonce + cipher.seal(content, nonce: nonce, associated: associated)
  }

  private func open(
    _ sealed: [UInt8], with cipher: AuthenticatedCipher, associated: [UInt8]
  ) -> [UInt8]? {
    guard sealed.count >= 29, sealed[0] == Self.layout else { return nil }
    return cipher.open(
      Array(sealed[13...]), nonce: Array(sealed[1..<13]), associated: associated)
  }

  private func keyBinding(_ account: AccountID) -> [UInt8] {
    Array("gatebook/key\0".utf8) + keys.book.bytes + account.bytes
  }

  private func associated(_ account: AccountID, _ binding: Binding) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(96)
    switch binding {
    case .event(let id, let kind, let version):
      bytes.append(contentsOf: "gatebook/event\0".utf8)
      bytes.append(contentsOf: keys.book.bytes)
      bytes.append(contentsOf: account.bytes)
      bytes.append(contentsOf: id.bytes)
      bytes.append(UInt8(truncatingIfNeeded: version >> 8))
      bytes.append(UInt8(truncatingIfNeeded: version))
      bytes.append(contentsOf: kind.utf8)
    case .vault(let purpose, let generation):
      bytes.append(contentsOf: "gatebook/vault\0".utf8)
      bytes.append(contentsOf: keys.book.bytes)
      bytes.append(contentsOf: account.bytes)
      withUnsafeBytes(of: generation.bigEndian) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: purpose.utf8)
    }
    return bytes
  }
}
