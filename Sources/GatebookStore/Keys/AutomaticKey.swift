public import GatebookCrypto
public import GatebookEvents

/// Chooses the source when a book is created, and afterwards uses the recorded one.
///
/// A new book's key goes to the keyring if there is one that answers, else into a key file. This is
/// decided once: a book whose keyring does not answer later is not opened another way.
public struct AutomaticKey: KeySource {
  private let folder: String
  private let passphrase: Passphrase?
  private let keyring: (any KeySource)?
  private let withoutKeyring: @Sendable (GatebookError) -> Void

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - folder: Where key files live; not beside the book.
  ///   - passphrase: Opens books whose recorded source is a passphrase.
  ///   - keyring: Opens books whose recorded source is `secret-service`, and is the first choice for
  ///     new ones, such as `SecretServiceKeySource()` of GatebookSecretService; `nil` for none.
  ///   - withoutKeyring: Hears why a new key goes into a file although a keyring was given, so that
  ///     it can be announced.
  public init(
    folder: String, passphrase: Passphrase? = nil, keyring: (any KeySource)? = nil,
    withoutKeyring: @escaping @Sendable (GatebookError) -> Void = { _ in }
  ) {
    self.folder = folder
    self.passphrase = passphrase
    self.keyring = keyring
    self.withoutKeyring = withoutKeyring
  }

  /// Makes a key in the keyring if it answers, else in a file under the folder.
  public func make(
    for book: BookID, random: any RandomSource
  ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
    if let keyring {
      do throws(GatebookError) {
        return try keyring.make(for: book, random: random)
      } catch  where [.keyMissing, .keyLocked].contains(error.code) {
        withoutKeyring(error)
      }
    }
    return try KeyFile(folder: folder, book: book).make(for: book, random: random)
  }

  /// Opens the recorded source.
  ///
  /// Where a move of the key was interrupted, its former source opens too.
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

  /// Keeps a key in the keyring if it answers, else in a file under the folder.
  public func keep(
    _ key: Secret, of book: BookID, random: any RandomSource
  ) throws(GatebookError) -> KeyDescription {
    if let keyring {
      do throws(GatebookError) {
        return try keyring.keep(key, of: book, random: random)
      } catch  where [.keyMissing, .keyLocked].contains(error.code) {
        withoutKeyring(error)
      }
    }
    return try KeyFile(folder: folder, book: book).keep(key, of: book, random: random)
  }

  /// Removes the key from the recorded source.
  public func remove(
    _ former: KeyDescription, of book: BookID, movedTo place: KeyDescription
  ) throws(GatebookError) -> String? {
    guard former.source != "passphrase" else { return nil }
    return try source(of: former, book).remove(former, of: book, movedTo: place)
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
          .keyMissing, "The book's key is made from a passphrase, and nobody is asked here.",
          remedy: "Give a source for the passphrase.")
      }
      return passphrase
    case "secret-service":
      guard let keyring else {
        throw GatebookError(
          .keyMissing, "The book's key is in the desktop's keyring, and this program asks none.",
          kept: "The book and its log are whole; only personal facts and secrets stay closed.",
          remedy: "Give the keyring as a source.")
      }
      return keyring
    default:
      throw GatebookError(
        .keyMissing, "This Gatebook does not know the book's key source.",
        remedy: "Use the Gatebook that made the book, or a newer one.")
    }
  }
}
