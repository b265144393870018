public import GatebookEvents

/// What a verification found.
public struct Verdict: Hashable, Sendable {
  /// How much was shown.
  public enum Level: String, Sendable {
    /// The book agrees with itself.
    case itself = "self"
    /// The book also agrees with a checkpoint that was kept elsewhere: only that shows truncation,
    /// and rewriting by somebody who can recompute hashes.
    case checkpoint
  }

  /// Whether nothing is wrong.
  public var ok: Bool { problems.isEmpty }
  /// How many events were verified.
  public let size: Int64
  /// The root over the events as they were found, 64 hexadecimal digits.
  public let root: String
  /// How much was shown when nothing is wrong.
  public let level: Level
  /// The first event that is wrong or missing; everything before it can be trusted.
  public let firstBad: Position?
  /// The share of the account that was asked for; `nil` when none was.
  public let stream: VerifiedStream?
  /// Where the book goes on whose past is in an archive, or was lost; `nil` for one that has all of it.
  public let continuation: Continuation?
  /// The archive that was given; `nil` when none was.
  public let archive: VerifiedArchive?
  /// What is wrong, one sentence each; at most 20.
  public let problems: [String]
}
