/// Something in the log that needs a person's attention.
///
/// It comes only from unencrypted facts: it needs no key and contains no personal data.
public struct Finding: Hashable, Sendable {
  /// How important it is.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Worth knowing; it may be intended.
    case note
    /// Check it: something works badly, or has become weaker.
    case warning
    /// Check it now: it may be an attack.
    case alarm

    /// Whether the left one is less important.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .alarm: 2
      }
    }
  }

  /// The rule that found it.
  public let rule: FindingRule
  /// How important it is.
  public let severity: Severity
  /// What happened, in one sentence.
  public let title: Sentence
  /// The first of its events, in the order of the book; at most ``mostPositions``.
  public let positions: [Position]
  /// The number of its events.
  public let count: Int64
  /// The account; `nil` for the whole book, or for a login of an unknown user.
  public package(set) var account: AccountID?
  /// The time of its first event.
  public let first: Timestamp
  /// The time of its last event.
  public let last: Timestamp

  /// What to do about it.
  public let remedy: String

  /// Makes a finding.
  package init(
    rule: FindingRule, severity: Severity, title: Sentence, positions: [Position], count: Int64,
    account: AccountID?, first: Timestamp, last: Timestamp, remedy: String
  ) {
    self.rule = rule
    self.severity = severity
    self.title = title
    self.positions = positions
    self.count = count
    self.account = account
    self.first = first
    self.last = last
    self.remedy = remedy
  }

  /// The maximum number of positions in one finding.
  public static let mostPositions = 20
}
