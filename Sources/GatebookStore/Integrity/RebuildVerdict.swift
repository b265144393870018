public import GatebookEvents

/// Whether the projections are what the log says.
public struct RebuildVerdict: Hashable, Sendable {
  /// Whether each row is, byte for byte, what a fold of the log makes.
  public var ok: Bool { problems.isEmpty }
  /// The last event of the log that was folded.
  public let position: Position
  /// Which rows differ, one sentence each; at most 20.
  public let problems: [String]
}
