/// An archive that was verified with the book that goes on from it.
public struct VerifiedArchive: Hashable, Sendable {
  /// How many events it ends with, those of older archives included.
  public let size: Int64
  /// The root over them, 64 hexadecimal digits.
  public let root: String
  /// Where the archive itself goes on whose past is in an older one, or was lost; `nil` for one that has all
  /// of it.
  public let continuation: Continuation?
}
