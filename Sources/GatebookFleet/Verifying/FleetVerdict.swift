public import Gatebook

/// What a verification of a fleet found.
public struct FleetVerdict: Hashable, Sendable {
  /// The histories, in the order of their machines' names, then of the books.
  public internal(set) var histories: [HistoryVerdict]
  /// Books that have rows in the fleet, and no history: somebody added them.
  public internal(set) var unknownBooks: [BookID]
  /// The servers that did not answer, and may have more of what was to be verified: the histories
  /// there were not verified.
  public internal(set) var missing: [MissingServer] = []
  /// Whether nothing is wrong with what was verified: see also ``missing``.
  public var ok: Bool { unknownBooks.isEmpty && histories.allSatisfy(\.ok) }

  init(histories: [HistoryVerdict], unknownBooks: [BookID]) {
    self.histories = histories
    self.unknownBooks = unknownBooks
  }
}

/// What a verification found in one history of a book.
public struct HistoryVerdict: Hashable, Sendable {
  /// How much was shown.
  public enum Level: String, Sendable {
    /// The events agree with themselves and with the roots that were shipped.
    case unsigned
    /// They also agree with a checkpoint that the book's key signed.
    case signed
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
  /// The root of the events as they were found, 64 hexadecimal digits; `nil` where it cannot be
  /// known, because events are missing.
  public internal(set) var root: String?
  /// The last event that a signed checkpoint covers which agrees; `nil` for none.
  public internal(set) var covered: Position?
  /// How many events came without their encrypted facts: their hashes are the shipper's word.
  public internal(set) var withheld: Int64 = 0
  /// How many events agree with their own hash, but are covered by no root: a recovery left them.
  public internal(set) var unproven: Int64 = 0
  /// The positions whose events a recovery did not find.
  public internal(set) var lost: [ClosedRange<Position>] = []
  /// The first event that is wrong or missing; earlier events agree.
  public internal(set) var firstBad: Position?
  /// What is wrong, one sentence each; at most 20.
  public internal(set) var problems: [String] = []

  /// Whether one of them is about no single event.
  var hasUnplaced = false

  /// Whether nothing is wrong.
  public var ok: Bool { problems.isEmpty }
  /// How much was shown when nothing is wrong.
  public var level: Level { covered == nil ? .unsigned : .signed }
}
