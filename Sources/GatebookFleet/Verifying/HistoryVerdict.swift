public import Gatebook

/// What a verification found in one history of a book.
public struct HistoryVerdict: Hashable, Sendable {
  /// How much was shown.
  public enum Level: String, Sendable {
    /// The events agree with themselves and with the roots that were shipped.
    case unsigned
    /// They also agree with a checkpoint that is signed by the key that the book names.
    case signed
    /// Some events came without their encrypted facts, so their hashes cannot be computed again:
    /// only their place in the history is proven, not their content. ``HistoryVerdict/covered``
    /// says what a signed checkpoint covers of these places.
    case withheld
  }

  /// What was found about the stored states of accounts and sessions.
  public enum States: String, Sendable {
    /// They were compared with what the events say; differences are among the problems.
    case compared
    /// The fleet has none of this history.
    case none
    /// Another version of Gatebook computed them, or the state that the history begins with.
    case otherVersion
    /// They could not be computed: an event before them is missing or wrong.
    case unknown
  }

  /// The book.
  public let book: BookID
  /// The history: 0 for the first one.
  public let branch: Int
  /// The name of the machine; `nil` where it was not told.
  public let machine: String?
  /// The position of the last event, by the history's head.
  public let size: Int64
  /// How many events the fleet has of it.
  public internal(set) var events: Int64 = 0
  /// How many events of it the fleet forgot: they are counted, and their root is kept, but they
  /// are not there.
  public internal(set) var forgotten: Int64 = 0
  /// The public key that the history names, 64 hexadecimal digits; `nil` where it names none.
  ///
  /// The signatures of checkpoints are verified with it.
  public internal(set) var key: String?
  /// The root of the events as they were found, 64 hexadecimal digits; `nil` where it cannot be
  /// known, because events are missing.
  public internal(set) var root: String?
  /// The last event that a signed checkpoint covers which agrees; `nil` for none.
  public internal(set) var covered: Position?
  /// How many events came without their encrypted facts: their hashes are the shipper's word, and
  /// their content is not proven.
  public internal(set) var withheld: Int64 = 0
  /// The first such event, also among those that the history shares with the one that it left;
  /// `nil` for none.
  public internal(set) var firstWithheld: Position?
  /// How many events came with their encrypted facts.
  ///
  /// A machine that changed what it ships leaves a history with events of both sorts. So does
  /// somebody who changes events in the database and marks them as withheld.
  public internal(set) var sealed: Int64 = 0
  /// How many events agree with their own hash, but are covered by no root: a recovery left them.
  public internal(set) var unproven: Int64 = 0
  /// The positions whose events a recovery did not find.
  public internal(set) var lost: [ClosedRange<Position>] = []
  /// How many events the given ``FleetHeads`` have of it; `nil` where they have none.
  public internal(set) var known: Int64?
  /// Whether heads were given, and none of them is of this history.
  public internal(set) var isNew = false
  /// Whether the fleet forgot the last event of the given head: its root could not be computed
  /// again.
  public internal(set) var isKnownForgotten = false
  /// What was found about the stored states of accounts and sessions; `nil` where nobody asked.
  public internal(set) var states: States?
  /// The first event that is wrong or missing; earlier events agree.
  public internal(set) var firstBad: Position?
  /// What is wrong, one sentence each; at most 20.
  public internal(set) var problems: [String] = []

  /// Whether one of them is about no single event.
  var hasUnplaced = false
  /// Whether the fleet has such a history: not for rows that somebody added or left.
  var isHistory = true

  /// Whether nothing is wrong.
  public var ok: Bool { problems.isEmpty }
  /// How much was shown when nothing is wrong.
  public var level: Level {
    firstWithheld != nil ? .withheld : covered == nil ? .unsigned : .signed
  }
}
