public import GatebookCrypto
public import GatebookEvents

/// Chooses the source when a book is created, and afterwards uses the recorded one.
///
/// The key of a new book is stored in the keyring if one is available, otherwise in a key file.
/// This is decided once: if the keyring is not available later, the book is not opened in another
/// way.
public struct AutomaticKey: KeySource {
  private let folder: String
  private let passphrase: Passphrase?
  private let keyring: (any KeySource)?
  private let withoutKeyring: @Sendable (GatebookError) -> Void

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - folder: The folder of key files; not the folder of the book.
  ///   - passphrase: Opens books whose recorded source is a passphrase.
  ///   - keyring: Opens books whose recorded source is `secret-service`, and is the first choice
  ///     for new ones, such as `SecretServiceKeySource()` of GatebookSecretService; `nil` for none.
  ///   - withoutKeyring: Called with the reason why a new key is stored in a file although a
  ///     keyring was given.
  public init(
    folder: String, passphrase: Passphrase? = nil, keyring: (any KeySource)? = nil,
    withoutKeyring: @escaping @Sendable (GatebookError) -> Void = { _ in }
  ) {
    self.folder = folder
    self.passphrase = passphrase
    self.keyring = keyring
    self.withoutKeyring = withoutKeyring
  }

  /// Makes a key in the keyring if it is available, otherwise in a file in the folder.
  public func make(
    for book: BookID, random: any RandomSource
  ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
    try first(of: book) { (source) throws(GatebookError) in
      try source.make(for: book, random: random)
    }
  }

  /// Opens the recorded source.
  ///
  /// After an interrupted move of the key, its old source opens too.
  public func open(
    _ description: KeyDescription, of book: BookID
  ) throws(GatebookError) -> Secret {
    do throws(GatebookError) {
      return try source(of: description, book).open(description, of: book)
    } catch {
      for former in description.formers {
        if let key = try? source(of: former, book).open(former, of: book) { return key }
      }
      throw error
    }
  }

  /// Keeps a key in the keyring if it is available, otherwise in a file in the folder.
  public func keep(
    _ key: Secret, of book: BookID, random: any RandomSource
  ) throws(GatebookError) -> KeyDescription {
    try first(of: book) { (source) throws(GatebookError) in
      try source.keep(key, of: book, random: random)
    }
  }

  /// Removes the key from the recorded source.
  public func remove(
    _ former: KeyDescription, of book: BookID, movedTo place: KeyDescription
  ) throws(GatebookError) -> String? {
    guard former.source != "passphrase" else { return nil }
    return try source(of: former, book).remove(former, of: book, movedTo: place)
  }

  /// Uses the keyring where it can be used, else a file.
  private func first<Value>(
    of book: BookID, _ use: (any KeySource) throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    if let keyring {
      do throws(GatebookError) {
        return try use(keyring)
      } catch  where [.keyMissing, .keyLocked].contains(error.code) {
        withoutKeyring(error)
      }
    }
    return try use(KeyFile(folder: folder, book: book))
  }

  private func source(
    of description: KeyDescription, _ book: BookID
  ) throws(GatebookError) -> any KeySource {
    switch description.source {
    case "file":
      guard let path = description.parameters["path"]?.text else {
        return KeyFile(folder: folder, book: book)
      }
      return KeyFile(path: path)
    case "passphrase":
      guard let passphrase else {
        throw GatebookError(
          .keyMissing,
          "The book's key comes from a passphrase, but this program does not ask for one.",
          remedy: "Give a source for the passphrase.")
      }
      return passphrase
    case "secret-service":
      guard let keyring else {
        throw GatebookError(
          .keyMissing,
          "The book's key is in the desktop keyring, but this program does not use keyrings.",
          kept: "The book is not affected; only personal data and secrets stay encrypted.",
          remedy: "Give the keyring as a key source.")
      }
      return keyring
    default:
      throw GatebookError(
        .keyMissing, "This version of Gatebook does not know the book's key source.",
        remedy: "Use the version that made the book, or a newer one.")
    }
  }
}
