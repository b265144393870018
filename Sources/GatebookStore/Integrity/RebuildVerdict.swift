public import GatebookEvents

/// Whether the stored states agree with the log.
public struct RebuildVerdict: Hashable, Sendable {
  /// Whether each stored state is the same as the computed one, byte for byte.
  public var ok: Bool { problems.isEmpty }
  /// The last event that was used.
  public let position: Position
  /// What differs, one sentence each; at most 20.
  public let problems: [String]
}
