public import Gatebook

/// The events that a fleet would forget: of each history the longest run of positions from its
/// first one whose times are all before a moment.
public struct ForgettingPlan: Hashable, Sendable {
  /// The events of one history that would be dropped.
  public struct Run: Hashable, Sendable {
    /// The history.
    public let book: FleetBook
    /// The first event.
    public let first: Position
    /// The last event; one before `first` where only the state after the shared events is kept.
    public let last: Position
    /// How many of them the fleet has.
    public let events: Int64
  }

  /// All dropped events happened before this moment.
  public let moment: Timestamp
  /// The runs, in the order of their machines' names, then of the books.
  public internal(set) var runs: [Run]

  /// How many events would be dropped.
  public var events: Int64 { runs.reduce(0) { $0 + $1.events } }
}
