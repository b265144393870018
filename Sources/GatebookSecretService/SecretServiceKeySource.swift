public import GatebookCrypto
public import GatebookEvents
public import GatebookStore

/// A master key in the desktop keyring: the Secret Service of freedesktop.org, used through
/// libsecret.
///
/// The key is an item of the keyring's default collection: labelled `Gatebook: key of book ID`,
/// found by its attributes `application` = `gatebook` and `book` = the book's id, as Base64 text.
/// Nothing about it is recorded in the book.
///
/// libsecret (Debian package `libsecret-1-0`) is loaded at the first use. Gatebook never opens a
/// window: a locked keyring is `key.locked`, and the user unlocks it on the desktop. Every call has
/// a time limit; a cancelled task does not wait for it.
///
/// Source: Secret Service API Draft 0.2.
public struct SecretServiceKeySource: KeySource {
  private let limit: Duration
  private let library: String

  /// Makes a source; nothing is opened yet.
  ///
  /// - Parameter limit: The time limit for the keyring, which may have to be started first.
  public init(limit: Duration = .seconds(10)) {
    self.init(limit: limit, library: "libsecret-1.so.0")
  }

  /// Makes a source over a library by its file name.
  init(limit: Duration, library: String) {
    self.limit = limit
    self.library = library
  }

  /// Creates a key and stores it in the keyring.
  ///
  /// - Throws: `key.locked`; `key.missing` without libsecret, session or keyring, or when it does
  ///   not answer in time; `cancelled`.
  public func make(
    for book: BookID, random: any RandomSource
  ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
    let key = Secret(random.bytes(32))
    do throws(GatebookError) {
      try keep(key, of: book)
      // Probed before the first byte is encrypted with it.
      guard try find(book) == key else { throw Self.forgetful }
    } catch {
      throw error.keeping("No book was created.")
    }
    return (key, Self.description)
  }

  /// Returns the key from the keyring.
  ///
  /// - Throws: `key.locked`; `key.missing` when the keyring has no key for this book, and as above;
  ///   `key.wrong` when its entry is not a key; `cancelled`.
  public func open(
    _ description: KeyDescription, of book: BookID
  ) throws(GatebookError) -> Secret {
    do throws(GatebookError) {
      return try find(book)
    } catch {
      throw error.keeping(
        "The book is not affected; only personal data and secrets stay encrypted.")
    }
  }

  /// Stores the existing key of a book; an item of the same book is replaced.
  public func keep(
    _ key: Secret, of book: BookID, random: any RandomSource
  ) throws(GatebookError) -> KeyDescription {
    do throws(GatebookError) {
      try keep(key, of: book)
    } catch {
      throw error.keeping("The key was not moved.")
    }
    return Self.description
  }

  /// Removes the book's items from the keyring.
  ///
  /// - Throws: `key.locked` when they are locked; `key.missing`, `cancelled`.
  public func remove(
    _ former: KeyDescription, of book: BookID, movedTo place: KeyDescription
  ) throws(GatebookError) -> String? {
    do throws(GatebookError) {
      try withKeyring { (keyring) throws(KeyringFailure) -> Result<Void, GatebookError> in
        let (count, hasLocked) = try keyring.remove(Self.attributes(book))
        // A keyring may hide what is in a locked collection.
        if count == 0, try keyring.isDefaultLocked() == true { return .failure(.keyringLocked()) }
        return hasLocked ? .failure(.keyringLocked()) : .success(())
      }
    } catch {
      throw error.keeping("The key was moved, but may still be in the keyring too.")
    }
    return nil
  }

  private static let description = KeyDescription(source: "secret-service", parameters: [:])

  private static func attributes(_ book: BookID) -> Attributes {
    Attributes(["application": "gatebook", "book": book.description])
  }

  private static var forgetful: GatebookError {
    GatebookError(
      .keyMissing, "The keyring did not return the key that it was given.",
      remedy: "Use another key source.")
  }

  private func keep(_ key: Secret, of book: BookID) throws(GatebookError) {
    // Text, because some keyrings keep nothing else.
    let text = key.withBytes { Secret(Base64.encode($0)) }
    try withKeyring { (keyring) throws(KeyringFailure) -> Result<Void, GatebookError> in
      switch try keyring.isDefaultLocked() {
      case true: return .failure(.keyringLocked())
      case false:
        try keyring.keep(
          text, Self.attributes(book), label: "Gatebook: key of book \(book)")
        return .success(())
      case nil:
        return .failure(
          GatebookError(
            .keyMissing, "The keyring has no default collection for the key.",
            remedy: "Create one in the desktop's password manager, or use another key source."))
      }
    }
  }

  private func find(_ book: BookID) throws(GatebookError) -> Secret {
    try withKeyring { (keyring) throws(KeyringFailure) -> Result<Secret, GatebookError> in
      let (texts, hasLocked) = try keyring.texts(Self.attributes(book))
      for text in texts {
        if let key = Self.key(text) { return .success(key) }
      }
      if hasLocked { return .failure(.keyringLocked()) }
      guard texts.isEmpty else {
        return .failure(
          GatebookError(
            .keyWrong, "The keyring's entry for this book is not a key.",
            remedy: "Restore the keyring, or give a copy of the key with `KeyFile(path:)`."))
      }
      // A keyring may hide what is in a locked collection.
      if try keyring.isDefaultLocked() == true { return .failure(.keyringLocked()) }
      return .failure(
        GatebookError(
          .keyMissing, "The keyring has no key for this book.",
          remedy: "Restore the keyring, or give a copy of the key with `KeyFile(path:)`."))
    }
  }

  /// The key that a text stands for; white space around it may come from an editor.
  private static func key(_ text: Secret) -> Secret? {
    text.withBytes { bytes in
      let text = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      guard text.count == 1, let key = Base64.decode(text[0]), key.count == 32 else { return nil }
      return Secret(key)
    }
  }

  /// Does something with the keyring, on a thread of its own, within the limit.
  private func withKeyring<Value: Sendable>(
    _ body: @escaping @Sendable (Keyring) throws(KeyringFailure) -> Result<Value, GatebookError>
  ) throws(GatebookError) -> Value {
    try SessionBus.require()
    let library = try SecretLibrary.open(library)
    let cancellation = Cancellation(library)
    let ending = try LimitedCall<Value>.run(limit: limit) {
      do throws(KeyringFailure) {
        return try body(try Keyring(library, cancellation))
      } catch {
        return .failure(error.error)
      }
    }
    switch ending {
    case .success(let result): return try result.get()
    case .failure(.late):
      cancellation.cancel()
      throw GatebookError(
        .keyMissing, "The keyring did not answer within \(limit.components.seconds) s.",
        remedy: "Check whether it is waiting for a password on the desktop, then try again.")
    case .failure(.cancelled):
      cancellation.cancel()
      throw GatebookError(
        .cancelled, "The call was cancelled while the keyring was asked.",
        remedy: "Try again when you like.")
    }
  }
}
