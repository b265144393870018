/// An archive that was verified together with the book that continues it.
public struct VerifiedArchive: Hashable, Sendable {
  /// The number of events up to its end, including older archives.
  public let size: Int64
  /// The root over them, 64 hexadecimal digits.
  public let root: String
  /// Whether the state that the book continues from was computed again from the archive's events,
  /// and is the same.
  ///
  /// A newer version of Gatebook may compute states differently than the one that made the archive:
  /// then the accounts, sessions and current account must be those in the archive, and this is
  /// `false`. `nil` if nothing can be compared: for a recovered book, or a damaged archive.
  public let hasSameState: Bool?
  /// Where the archive itself begins, if its earlier events are in an older archive or lost;
  /// otherwise `nil`.
  public let continuation: Continuation?
}
