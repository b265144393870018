public import GatebookEvents

/// An archive that was made: the book as it was, which never changes again.
public struct Archive: Hashable, Sendable {
  /// Its file.
  public let path: String
  /// Its last event; the book goes on behind it.
  public let end: Position
  /// The root over its events, 64 hexadecimal digits.
  public let root: String
  /// The root over the state that the book goes on from, 64 hexadecimal digits.
  public let state: String
  /// Where the book says so.
  public let position: Position
}
