internal import GatebookCrypto
internal import GatebookEvents

/// Encrypts and decrypts personal facts and secrets with the accounts' data keys.
///
/// Used by one thread.
final class Sealer {
  /// What is encrypted, and hence what it is bound to.
  enum Binding {
    case event(EventID, kind: String, version: Int64)
    case vault(purpose: String, generation: Int64)
  }

  let keys: BookKeys
  private let random: any RandomSource
  private var nonces: RandomPool
  private let wrap: AuthenticatedCipher
  private var ciphers: [AccountID: AuthenticatedCipher] = [:]
  // Used again from event to event.
  private var content: [UInt8] = []
  private var associated: [UInt8] = []
  private static let cacheLimit = 4096

  init(_ keys: BookKeys, random: any RandomSource) {
    self.keys = keys
    self.random = random
    nonces = RandomPool(random, piecesOf: AuthenticatedCipher.nonceCount)
    wrap = keys.wrap.withBytes { AuthenticatedCipher(key: $0) }
  }

  /// Makes a data key for a new account; it is unwrapped when it is first needed.
  ///
  /// - Returns: The key, wrapped: what `account.key` holds.
  func wrapNewKey(of account: AccountID) -> [UInt8] {
    seal(random.bytes(32), with: wrap, associated: binding("key", account.bytes))
  }

  /// The fingerprint of a random secret under an account's data key ("Event format", section
  /// "Sealed bytes").
  ///
  /// Rare enough that no derived key is kept.
  ///
  /// - Throws: `storage.damaged` when the wrapped key does not open.
  func fingerprint(
    of secret: Secret, for account: AccountID, wrapped: [UInt8]
  ) throws(GatebookError) -> String {
    let key = HKDF.sha256(
      secret: try dataKey(wrapped, of: account), salt: account.bytes,
      info: Array("gatebook/fingerprint".utf8), count: 32)
    return Hex.encode(secret.withBytes { HMAC.sha256(key: key, $0) }.prefix(16))
  }

  /// Makes an account's key usable.
  ///
  /// - Throws: `storage.damaged` when the wrapped key does not open: the master key was checked.
  func unwrap(_ wrapped: [UInt8], of account: AccountID) throws(GatebookError) {
    guard ciphers[account] == nil else { return }
    remember(AuthenticatedCipher(key: try dataKey(wrapped, of: account)), for: account)
  }

  /// Makes an account's key usable, if it is whole: one that is damaged must not keep others from
  /// being read.
  ///
  /// - Returns: Whether it opens.
  /// - Throws: What is not about this key.
  func opens(_ wrapped: [UInt8], of account: AccountID) throws(GatebookError) -> Bool {
    do throws(GatebookError) {
      try unwrap(wrapped, of: account)
      return true
    } catch  where error.code == .storageDamaged {
      return false
    }
  }

  private func dataKey(
    _ wrapped: [UInt8], of account: AccountID
  ) throws(GatebookError) -> [UInt8] {
    guard let key = wrap.opened(wrapped, associated: binding("key", account.bytes)),
      key.count == 32
    else { throw .storageDamaged("The key of account \(account) is damaged.") }
    return key
  }

  /// Forgets all accounts' keys; each is unwrapped again when it is needed.
  func forget() {
    ciphers = [:]
  }

  /// Forgets the key of an erased account: it encrypts nothing more.
  func forget(_ account: AccountID) {
    ciphers[account] = nil
  }

  /// Whether the account's key is at hand; else it must be unwrapped first.
  func holdsKey(of account: AccountID) -> Bool { ciphers[account] != nil }

  /// The account's key, if it is at hand.
  func key(of account: AccountID) -> AuthenticatedCipher? { ciphers[account] }

  /// Encrypts bytes; the account's key must be loaded.
  func seal(_ content: [UInt8], of account: AccountID, _ binding: Binding) -> [UInt8]? {
    bind(account, binding)
    return ciphers[account].map { seal(content, with: $0, associated: associated) }
  }

  /// Appends the encrypted personal facts of an event to other bytes.
  func seal(
    _ facts: Facts, with key: AuthenticatedCipher, of account: AccountID, _ binding: Binding,
    into bytes: inout [UInt8]
  ) {
    content.removeAll(keepingCapacity: true)
    facts.encode(into: &content)
    bytes.append(AuthenticatedCipher.layout)
    bytes.append(contentsOf: nonces.next())
    bind(account, binding)
    key.seal(content, associated: associated, behindNonceIn: &bytes)
  }

  /// Decrypts bytes; `nil` if they were changed or the account's key is not available.
  func open(_ sealed: [UInt8], of account: AccountID, _ binding: Binding) -> [UInt8]? {
    bind(account, binding)
    return ciphers[account]?.opened(sealed, associated: associated)
  }

  /// Encrypts what an attempt needs with a new key of its own.
  ///
  /// - Returns: The key, wrapped by the master key, and the encrypted content.
  func sealAttempt(
    _ content: [UInt8], of session: SessionID
  ) -> (key: [UInt8], content: [UInt8]) {
    let key = random.bytes(32)
    let sealed = seal(
      content, with: AuthenticatedCipher(key: key),
      associated: binding("attempt", session.bytes))
    let wrapped = seal(
      key, with: wrap, associated: binding("attempt-key", session.bytes))
    return (wrapped, sealed)
  }

  /// Opens what an attempt keeps; `nil` when it was changed.
  func openAttempt(_ content: [UInt8], key: [UInt8], of session: SessionID) -> [UInt8]? {
    let key = wrap.opened(key, associated: binding("attempt-key", session.bytes))
    guard let key, key.count == 32 else { return nil }
    return AuthenticatedCipher(key: key).opened(
      content, associated: binding("attempt", session.bytes))
  }

  /// Encrypts the place of a copy of the book with the master key: a path may name a person.
  func sealPlace(_ place: String, of copy: CopyID) -> [UInt8] {
    seal(Array(place.utf8), with: wrap, associated: binding("copy", copy.bytes))
  }

  /// Decrypts the place of a copy of the book; `nil` if it was changed.
  func openPlace(_ sealed: [UInt8], of copy: CopyID) -> String? {
    wrap.opened(sealed, associated: binding("copy", copy.bytes)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Encrypts a server's document with the master key: the servers that somebody uses may name a
  /// person.
  func sealDocument(_ content: [UInt8], named name: DocumentName) -> [UInt8] {
    seal(content, with: wrap, associated: binding("document", name.bytes))
  }

  /// Opens what a server publishes; `nil` when it was changed.
  func openDocument(_ sealed: [UInt8], named name: DocumentName) -> [UInt8]? {
    wrap.opened(sealed, associated: binding("document", name.bytes))
  }

  /// What bytes are bound to that are encrypted with the master key, or with a key of their own.
  private func binding(_ purpose: String, _ name: [UInt8]) -> [UInt8] {
    Array("gatebook/\(purpose)\0".utf8) + keys.book.bytes + name
  }

  private func remember(_ cipher: AuthenticatedCipher, for account: AccountID) {
    if ciphers.count >= Self.cacheLimit { ciphers.removeAll() }
    ciphers[account] = cipher
  }

  private func seal(
    _ content: [UInt8], with cipher: AuthenticatedCipher, associated: [UInt8]
  ) -> [UInt8] {
    cipher.sealed(content, nonces.next(), associated: associated)
  }

  /// What an account's encrypted bytes are bound to; overwrites the last one.
  private func bind(_ account: AccountID, _ binding: Binding) {
    associated.removeAll(keepingCapacity: true)
    switch binding {
    case .event(let id, let kind, let version):
      begin("gatebook/event\0", account)
      id.append(to: &associated)
      associated.append(UInt8(truncatingIfNeeded: version >> 8))
      associated.append(UInt8(truncatingIfNeeded: version))
      associated.append(contentsOf: kind.utf8)
    case .vault(let purpose, let generation):
      begin("gatebook/vault\0", account)
      withUnsafeBytes(of: generation.bigEndian) { associated.append(contentsOf: $0) }
      associated.append(contentsOf: purpose.utf8)
    }
  }

  private func begin(_ purpose: String, _ account: AccountID) {
    associated.append(contentsOf: purpose.utf8)
    keys.book.append(to: &associated)
    account.append(to: &associated)
  }
}

/// How the book keeps encrypted bytes: a byte for the layout, the nonce, the content with its tag.
extension AuthenticatedCipher {
  static let layout: UInt8 = 1

  func sealed(
    _ content: [UInt8], _ nonce: some Sequence<UInt8>, associated: [UInt8]
  ) -> [UInt8] {
    var sealed = [Self.layout]
    sealed.append(contentsOf: nonce)
    seal(content, associated: associated, behindNonceIn: &sealed)
    return sealed
  }

  /// Decrypts what `sealed` returned; `nil` if it was changed.
  func opened(_ sealed: [UInt8], associated: [UInt8]) -> [UInt8]? {
    guard sealed.count >= 29, sealed[0] == Self.layout else { return nil }
    return open(Array(sealed[13...]), nonce: Array(sealed[1..<13]), associated: associated)
  }
}
