/// An archive that was verified with the book that goes on from it.
public struct VerifiedArchive: Hashable, Sendable {
  /// How many events it ends with, those of older archives included.
  public let size: Int64
  /// The root over them, 64 hexadecimal digits.
  public let root: String
}
