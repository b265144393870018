public import GatebookCrypto
public import GatebookEvents

/// The source of a book's master key.
///
/// A source creates the key once, when the book is created, and returns it at every open. If it
/// cannot return the key, it throws an error and never creates a new key.
///
/// A source to which a key can be moved also implements ``keep(_:of:random:)``, one from which it
/// can be moved ``remove(_:of:movedTo:)``.
public protocol KeySource: Sendable {
  /// Creates the master key of a new book and stores it durably.
  ///
  /// - Parameters:
  ///   - book: The new book.
  ///   - random: Where the key's 32 bytes come from.
  /// - Returns: The key, and how to find it again, which is recorded unencrypted.
  /// - Throws: `key.missing`, `key.locked` or `storage.full`; then no book is created.
  func make(
    for book: BookID, random: any RandomSource
  ) throws(GatebookError) -> (key: Secret, description: KeyDescription)

  /// Returns the master key of an existing book.
  ///
  /// - Parameters:
  ///   - description: What `make` or `keep` returned.
  ///   - book: The book.
  /// - Returns: The key, 32 bytes; the book checks whether it is the right one.
  /// - Throws: `key.missing`, `key.wrong` or `key.locked`.
  func open(_ description: KeyDescription, of book: BookID) throws(GatebookError) -> Secret

  /// Stores the existing master key of a book durably, when the key is moved here.
  ///
  /// Storing the same key again is not an error. A different existing key is never overwritten if
  /// it could belong to another book.
  ///
  /// - Parameters:
  ///   - key: The book's key, 32 bytes.
  ///   - book: The book.
  ///   - random: For what this source adds, such as a salt.
  /// - Returns: How to find the key again, which is recorded unencrypted.
  /// - Throws: `key.missing`, `key.locked`, `key.wrong` or `storage.full`: the key was then not
  ///   moved. `configuration.invalid` from a source that does not implement this.
  func keep(
    _ key: Secret, of book: BookID, random: any RandomSource
  ) throws(GatebookError) -> KeyDescription

  /// Removes the key of a book from this source after it was moved elsewhere.
  ///
  /// A key that is already gone is not an error.
  ///
  /// - Parameters:
  ///   - former: The old place of the key.
  ///   - book: The book.
  ///   - place: The new place of the key; it must stay there, even if both are the same place under
  ///     different names.
  /// - Returns: What the user has to remove, such as a file that the user named; `nil` for nothing.
  /// - Throws: `key.missing`, `key.locked`: the key may still be there. `configuration.invalid`
  ///   from a source that does not implement this.
  func remove(
    _ former: KeyDescription, of book: BookID, movedTo place: KeyDescription
  ) throws(GatebookError) -> String?
}

extension KeySource {
  /// Fails: a key cannot be moved to a source that does not implement this.
  public func keep(
    _ key: Secret, of book: BookID, random: any RandomSource
  ) throws(GatebookError) -> KeyDescription {
    throw GatebookError(
      .configurationInvalid, "A key cannot be moved to this key source.",
      kept: "The key was not moved.", remedy: "Move the key to another source.")
  }

  /// Fails: a source that does not implement this cannot remove its key.
  public func remove(
    _ former: KeyDescription, of book: BookID, movedTo place: KeyDescription
  ) throws(GatebookError) -> String? {
    throw GatebookError(
      .configurationInvalid, "The key's old source cannot remove it.",
      kept: "The key was moved, but is still at its old place too.",
      remedy: "Remove it there yourself.")
  }
}
