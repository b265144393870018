public import GatebookCrypto
public import GatebookEvents

/// Where a book's master key lives.
///
/// A source makes the key once, when the book is created, and brings it again at every open. It
/// never weakens itself: what it cannot open is an error, never a new key.
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
  ///   - description: What `make` returned.
  ///   - book: The book.
  /// - Returns: The key, 32 bytes; whether it is the right one is checked by the book.
  /// - Throws: `key.missing`, `key.wrong` or `key.locked`.
  func open(_ description: KeyDescription, of book: BookID) throws(GatebookError) -> Secret
}
