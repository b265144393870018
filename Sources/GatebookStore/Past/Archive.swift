public import GatebookEvents

/// An archive that was made: the book as it was, which never changes again.
///
/// Of a book that went on from an archive before, it has what happened since.
public struct Archive: Hashable, Sendable {
  /// Its file.
  public let path: String
  /// The position of its first event; those before it are in the archives before.
  public let first: Position
  /// Its last event; the book goes on behind it.
  public let end: Position
  /// The root over its events, 64 hexadecimal digits.
  public let root: String
  /// The root over the state that the book goes on from, 64 hexadecimal digits.
  public let state: String
  /// Where the book says so.
  public let position: Position
}
