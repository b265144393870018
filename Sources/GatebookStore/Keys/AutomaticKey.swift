public import GatebookCrypto
public import GatebookEvents

/// Chooses the source when a book is created, and afterwards uses the recorded one.
public struct AutomaticKey: KeySource {
  private let folder: String
  private let passphrase: Passphrase?

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - folder: Where key files live; not beside the book.
  ///   - passphrase: Opens books whose recorded source is a passphrase.
  public init(folder: String, passphrase: Passphrase? = nil) {
    self.folder = folder
    self.passphrase = passphrase
  }

  /// Makes a key file under the folder.
  public func make(
    for book: BookID, random: any RandomSource
  ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
    try KeyFile(folder: folder, book: book).make(for: book, random: random)
  }

  /// Opens the recorded source.
  public func open(
    _ description: KeyDescription, of book: BookID
  ) throws(GatebookError) -> Secret {
    switch description.source {
    case "file":
      if let path = description.parameters["path"]?.text {
        return try KeyFile(path: path).open(description, of: book)
      }
      return try KeyFile(folder: folder, book: book).open(description, of: book)
    case "passphrase":
      guard let passphrase else {
        throw GatebookError(
          .keyMissing, "The book's key is made from a passphrase, and nobody can be asked.",
          remedy: "Give a source for the passphrase.")
      }
      return try passphrase.open(description, of: book)
    default:
      throw GatebookError(
        .keyMissing, "This Gatebook does not know the book's key source.",
        remedy: "Use the Gatebook that made the book, or a newer one.")
    }
  }
}
