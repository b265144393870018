public import GatebookEvents

/// What a verification of the events since a checkpoint found.
///
/// The events that the checkpoint covers were not read: their root was made from stored subtrees
/// and compared. An event among them that was changed, while the subtrees stayed as they were, is
/// not found; ``BookVerifier/verify(against:archive:account:key:progress:)`` finds it.
public struct GrowthVerdict: Hashable, Sendable {
  /// Whether nothing is wrong with what was checked.
  public var ok: Bool { problems.isEmpty }
  /// How many events the checkpoint covers: these were compared only by their root.
  public let covered: Int64
  /// The first position whose event was computed again.
  ///
  /// There is no event at it yet if the book has not grown since the checkpoint.
  public var from: Position { Position(rawValue: covered + 1) }
  /// The position of the last event, by the book's head.
  public let size: Int64
  /// How many events the book has recorded since the checkpoint, by its head.
  public var events: Int64 { size > covered ? size - covered : 0 }
  /// The root of all events, as it was found, 64 hexadecimal digits; `nil` if the book does not
  /// agree with the checkpoint.
  public let root: String?
  /// Whether the root at the checkpoint is the signed one; otherwise no later event was read.
  public let agreesWithCheckpoint: Bool
  /// The first event after the checkpoint that is wrong or missing; those between agree with their
  /// hashes.
  public let firstBad: Position?
  /// Whether the later events, as they were found, make the root in the book's head.
  public let agreesWithRoot: Bool
  /// Whether the log agrees with itself from ``from`` on; if so and it is not `ok`, only summaries
  /// of kinds and times are wrong, and a rebuild computes them again.
  public let isLogWhole: Bool
  /// What is wrong, one sentence each; at most 20.
  public let problems: [String]
}
