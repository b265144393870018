public import Gatebook

/// What a fleet forgot, and what it kept although it is old enough.
public struct ForgettingReport: Hashable, Sendable {
  /// The events of one history that were dropped.
  public struct Run: Hashable, Sendable {
    /// The history as it was before.
    public let book: FleetBook
    /// The last event that the fleet forgot.
    public let last: Position
    /// How many events were dropped.
    public let events: Int64
    /// The last event that a signed checkpoint covers which agreed with the events; `nil` for none.
    public let covered: Position?
    /// How many of the history's events came without their encrypted facts: their hashes could not
    /// be computed again.
    public let withheld: Int64

    /// Whether a checkpoint that the book's key signed covers all dropped events.
    ///
    /// Of withheld ones it proves only the place in the history, not the content.
    public var isSigned: Bool { covered.map { $0 >= last } ?? false }
    /// How much was shown of the dropped events.
    public var level: HistoryVerdict.Level {
      withheld > 0 ? .withheld : isSigned ? .signed : .unsigned
    }
  }

  /// Events that were not dropped, and why.
  public struct Kept: Hashable, Sendable {
    /// Why events are kept.
    public enum Reason: Hashable, Sendable {
      /// They do not agree with hashes, roots or checkpoints: the sentences say what is wrong.
      case mismatch([String])
      /// A recovery lost some of the events, so the root after these is known only later.
      case unproven
      /// The part of the book moves to another server.
      case moving
      /// Others changed the history meanwhile, again and again.
      case changed
    }

    /// The history.
    public let book: FleetBook
    /// The first event that is wrong, if one is.
    public let firstBad: Position?
    /// Why.
    public let reason: Reason
  }

  /// What was dropped.
  public internal(set) var forgotten: [Run] = []
  /// What was kept.
  public internal(set) var kept: [Kept] = []

  /// How many events were dropped.
  public var events: Int64 { forgotten.reduce(0) { $0 + $1.events } }
  /// Whether all events that were verified agreed.
  public var ok: Bool {
    kept.allSatisfy { if case .mismatch = $0.reason { false } else { true } }
  }
}
