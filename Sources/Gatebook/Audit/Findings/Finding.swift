/// Something in the log that a person should look at.
///
/// It comes from clear facts alone: no key is needed for it, and it holds nothing personal.
public struct Finding: Hashable, Sendable {
  /// How much it matters.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Worth knowing; it may well be as it should be.
    case note
    /// To be looked at: something works badly, or has become weaker.
    case warning
    /// To be looked at now: it may be an attack.
    case alarm

    /// Whether the left one matters less.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .alarm: 2
      }
    }
  }

  /// Which rule it breaks.
  public let rule: FindingRule
  /// How much it matters.
  public let severity: Severity
  /// What happened, in one sentence.
  public let title: Sentence
  /// The first of its events, in the order of the book; at most ``mostPositions``.
  public let positions: [Position]
  /// How many events it is made of.
  public let count: Int64
  /// Whose it is; `nil` for what is the whole book's, or a login's of nobody whom the book knows.
  public let account: AccountID?
  /// When its first event was.
  public let first: Timestamp
  /// When its last event was.
  public let last: Timestamp

  /// What to do about it.
  public var remedy: String {
    guard rule == .tokenReuse, severity < .alarm else { return rule.remedy }
    // The book itself knows why: nobody else need have had the token.
    return
      "Nothing while the session goes on: this book sent the token each time. Where the session "
      + "ended, log in again; where it happens often, look at the network."
  }

  /// So many positions are told of one finding.
  public static let mostPositions = 20
}
