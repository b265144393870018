public import GatebookCrypto
public import GatebookEvents

/// A master key that is derived from a passphrase by scrypt (RFC 7914): N = 2^17, r = 8, p = 1, 16
/// bytes of salt.
///
/// A book that is created with a passphrase uses this key; one whose key is moved to a passphrase
/// keeps its own key, encrypted with this one. All parameters are recorded, so that they can grow.
/// Deriving the key takes 128 MiB and about half a second.
public struct Passphrase: KeySource {
  private let ask: @Sendable () throws(GatebookError) -> Secret

  /// Makes a source.
  ///
  /// - Parameter ask: Returns the passphrase; called once for each open.
  public init(_ ask: @escaping @Sendable () throws(GatebookError) -> Secret) {
    self.ask = ask
  }

  /// Derives the key from the passphrase and a new salt.
  public func make(
    for book: BookID, random: any RandomSource
  ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
    let description = KeyDescription(
      source: "passphrase", parameters: ScryptSettings(salt: random.bytes(16)).record)
    return (try open(description, of: book), description)
  }

  /// Stores the existing key of a book, encrypted with a key that is derived from the passphrase
  /// and a new salt, in the description itself.
  public func keep(
    _ key: Secret, of book: BookID, random: any RandomSource
  ) throws(GatebookError) -> KeyDescription {
    var facts = ScryptSettings(salt: random.bytes(16)).record
    let wrapping = try derive(facts)
    let nonce = random.bytes(AuthenticatedCipher.nonceCount)
    let wrapped = key.withBytes { bytes in
      wrapping.withBytes { wrapping in
        AuthenticatedCipher(key: wrapping).sealed(
          bytes, nonce, associated: Self.binding(book))
      }
    }
    facts["wrapped"] = .text(Hex.encode(wrapped))
    return KeyDescription(source: "passphrase", parameters: facts)
  }

  /// Removes nothing: the encrypted key goes with its description.
  public func remove(
    _ former: KeyDescription, of book: BookID, movedTo place: KeyDescription
  ) throws(GatebookError) -> String? {
    nil
  }

  /// Derives the key from the passphrase and the recorded parameters.
  public func open(
    _ description: KeyDescription, of book: BookID
  ) throws(GatebookError) -> Secret {
    guard description.source == "passphrase" else {
      throw GatebookError(
        .keyWrong, "The book's key does not come from a passphrase.",
        remedy: "Give the book's own key source: \(description.source).")
    }
    let key = try derive(description.parameters)
    guard let wrapped = description.parameters["wrapped"] else { return key }
    guard let bytes = wrapped.text.flatMap({ Hex.decode($0) }), bytes.count == 61,
      bytes[0] == AuthenticatedCipher.layout
    else { throw Self.damaged }
    let opened = key.withBytes { key in
      AuthenticatedCipher(key: key).opened(bytes, associated: Self.binding(book))
    }
    guard var opened else {
      throw GatebookError(
        .keyWrong, "This is the wrong passphrase.", kept: "The book was not changed.",
        remedy: "Give the passphrase that was set when the key was moved.")
    }
    return Secret(taking: &opened)
  }

  /// What an encrypted key is bound to ("Event format", *Key descriptions*).
  private static func binding(_ book: BookID) -> [UInt8] {
    Array("gatebook/passphrase\0".utf8) + book.bytes
  }

  private static var damaged: GatebookError {
    GatebookError(
      .storageDamaged, "The record of the book's key is damaged.",
      remedy: "Restore the book from a copy.")
  }

  private func derive(_ facts: Facts) throws(GatebookError) -> Secret {
    guard let settings = ScryptSettings(record: facts) else { throw Self.damaged }
    let passphrase = try ask()
    guard !passphrase.isEmpty else {
      throw GatebookError(
        .keyWrong, "The passphrase is empty.", remedy: "Give the book's passphrase.")
    }
    guard var key = settings.derive(passphrase) else {
      throw GatebookError(
        .limitExceeded, "There is not enough memory to derive the key from the passphrase.",
        remedy: "Free memory, then try again.")
    }
    return Secret(taking: &key)
  }
}
