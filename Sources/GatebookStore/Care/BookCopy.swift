public import GatebookEvents

/// A copy of a book that was made with Gatebook: it holds the keys of the accounts at that time,
/// also of those that were erased later.
///
/// The book does not know copies made by other means.
public struct BookCopy: Hashable, Sendable {
  /// What kind of copy it is.
  public enum Kind: String, Sendable {
    /// The whole book.
    case backup
    /// The part of the log that the book no longer holds.
    case archive
  }

  /// Which copy it is.
  public let id: CopyID
  /// What kind of copy it is; `nil` for one that only a newer version knows.
  public let kind: Kind?
  /// When it was begun.
  public let at: Timestamp
  /// The file it was written to; `.sealed` without the book's key.
  public let place: Personal<String>
  /// How many events the book had when it was begun.
  public let begun: Int64
  /// How many events it holds; `nil` if it was not finished: it may exist, or a draft of it, or
  /// nothing.
  public let events: Int64?

  /// Whether it may hold the key of an account.
  ///
  /// - Parameters:
  ///   - added: Where the account was added.
  ///   - erased: Where it was erased; `nil` where it was not.
  /// - Returns: `false` where it was made before the one or after the other.
  func mayHold(keyAdded added: Position, erased: Position?) -> Bool {
    if let events, events < added.rawValue { return false }
    return (events ?? begun) < erased?.rawValue ?? .max
  }
}
