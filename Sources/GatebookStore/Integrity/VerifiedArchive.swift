/// An archive that was verified with the book that goes on from it.
public struct VerifiedArchive: Hashable, Sendable {
  /// How many events it ends with, those of older archives included.
  public let size: Int64
  /// The root over them, 64 hexadecimal digits.
  public let root: String
  /// Whether the state that the book goes on from was made anew from the archive's events, and is the same.
  ///
  /// A newer version of Gatebook may fold events in another way than the one that made the archive: then the
  /// accounts, sessions and roster of the state must be those that the archive holds, and this is `false`.
  /// `nil` where nothing can be compared: of a recovered book, or a damaged archive.
  public let hasSameState: Bool?
  /// Where the archive itself goes on whose past is in an older one, or was lost; `nil` for one that has all
  /// of it.
  public let continuation: Continuation?
}
