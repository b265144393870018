public import GatebookCrypto
public import GatebookEvents

/// Where a book's master key lives.
///
/// A source makes the key once, when the book is created, and brings it again at every open. It
/// never weakens itself: what it cannot open is an error, never a new key.
///
/// A source that a key can move to also implements ``keep(_:of:random:)``, one that it can move away
/// from ``remove(_:of:movedTo:)``.
public protocol KeySource: Sendable {
  /// Makes the master key of a new book and keeps it durably.
  ///
  /// - Parameters:
  ///   - book: The new book.
  ///   - random: Where the key's 32 bytes come from.
  /// - Returns: The key, and what must be known to find it again; that is recorded in the clear.
  /// - Throws: `key.missing`, `key.locked` or `storage.full`; then no book is made.
  func make(
    for book: BookID, random: any RandomSource
  ) throws(GatebookError) -> (key: Secret, description: KeyDescription)

  /// Brings the master key of an existing book.
  ///
  /// - Parameters:
  ///   - description: What `make` or `keep` returned.
  ///   - book: The book.
  /// - Returns: The key, 32 bytes; whether it is the right one is checked by the book.
  /// - Throws: `key.missing`, `key.wrong` or `key.locked`.
  func open(_ description: KeyDescription, of book: BookID) throws(GatebookError) -> Secret

  /// Keeps the master key that a book has already, durably, when it moves here.
  ///
  /// To keep the same key again is no error. Another key that is there already is never overwritten
  /// if it could be another book's.
  ///
  /// - Parameters:
  ///   - key: The book's key, 32 bytes.
  ///   - book: The book.
  ///   - random: For what this source adds, such as a salt.
  /// - Returns: What must be known to find the key again; that is recorded in the clear.
  /// - Throws: `key.missing`, `key.locked`, `key.wrong` or `storage.full`: the key is then only where
  ///   it was. `configuration.invalid` from a source that does not implement this.
  func keep(
    _ key: Secret, of book: BookID, random: any RandomSource
  ) throws(GatebookError) -> KeyDescription

  /// Removes the key of a book that has moved elsewhere, where this source kept it.
  ///
  /// A key that is gone already is no error.
  ///
  /// - Parameters:
  ///   - former: Where the key was.
  ///   - book: The book.
  ///   - place: Where the key is now; it must stay there, even if both are the same by other names.
  /// - Returns: What this source leaves to the person to remove, such as a file that the person has
  ///   named; `nil` for nothing.
  /// - Throws: `key.missing`, `key.locked`: the key may still be there. `configuration.invalid` from
  ///   a source that does not implement this.
  func remove(
    _ former: KeyDescription, of book: BookID, movedTo place: KeyDescription
  ) throws(GatebookError) -> String?
}

extension KeySource {
  /// Refuses: a source that does not implement this takes no key that was made elsewhere.
  public func keep(
    _ key: Secret, of book: BookID, random: any RandomSource
  ) throws(GatebookError) -> KeyDescription {
    throw GatebookError(
      .configurationInvalid, "This key source takes no key that was made elsewhere.",
      kept: "The key is where it was.", remedy: "Move the key to another source.")
  }

  /// Refuses: a source that does not implement this keeps what it has.
  public func remove(
    _ former: KeyDescription, of book: BookID, movedTo place: KeyDescription
  ) throws(GatebookError) -> String? {
    throw GatebookError(
      .configurationInvalid, "The key's former source cannot remove it.",
      kept: "The key has moved, and is still at its former place too.",
      remedy: "Remove it there by hand.")
  }
}
