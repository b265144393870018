/// A part of a request's body.
public enum BodyPart: Sendable, Hashable {
  /// These bytes.
  case bytes([UInt8])
  /// What a file holds, from its beginning.
  case file(String)
  /// What an open file descriptor still has to give, such as 0 for standard input. It stays open.
  case descriptor(Int32)
}
