public import GatebookEvents

/// An archive: the book as it was, which never changes again.
///
/// If the book already continued an archive, the new one holds what happened since then.
public struct Archive: Hashable, Sendable {
  /// Its file.
  public let path: String
  /// The position of its first event; earlier events are in earlier archives.
  public let first: Position
  /// Its last event; the book continues after it.
  public let end: Position
  /// The root of its events, 64 hexadecimal digits.
  public let root: String
  /// The root of the state that the book continues from, 64 hexadecimal digits.
  public let state: String
  /// The position of the book's event about it.
  public let position: Position
}
