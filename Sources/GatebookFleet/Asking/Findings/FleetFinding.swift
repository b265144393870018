public import Gatebook

/// Something in a fleet that needs a person's attention.
///
/// It comes only from unencrypted facts: it contains no personal data.
public struct FleetFinding: Hashable, Sendable {
  /// A book that a finding is about.
  public struct Place: Hashable, Sendable {
    /// The book.
    public let book: BookID
    /// Its history; 0 for the first one.
    public let branch: Int
    /// The name of its machine; `nil` where it was not told.
    public let machine: String?
    /// Its account that the finding is about, where it is about one in each book; else `nil`.
    public let account: AccountID?

    init(_ book: FleetBook, account: AccountID? = nil) {
      self.init(book.id, book.branch, book.machine, account: account)
    }

    init(_ book: BookID, _ branch: Int, _ machine: String?, account: AccountID? = nil) {
      self.book = book
      self.branch = branch
      self.machine = machine
      self.account = account
    }
  }

  /// The name of its rule: one of ``FleetRule``, or of `FindingRule`.
  public let rule: String
  /// How important it is.
  public let severity: Finding.Severity
  /// What happened, in one sentence.
  public let title: Sentence
  /// The books that it is about; at most ``mostPlaces``.
  public let places: [Place]
  /// The number of these books.
  public let books: Int
  /// The account; `nil` where it is about none, or about many.
  public let account: AccountID?
  /// The first of its events, in the order of the book; none where it is about many books.
  public let positions: [Position]
  /// The number of its events, or of its books where it is about none.
  public let count: Int64
  /// The time of its first event, or when it began.
  public let first: Timestamp
  /// The time of its last event.
  public let last: Timestamp
  /// What to do about it.
  public let remedy: String

  /// The maximum number of books that one finding names.
  public static let mostPlaces = 20

  /// Takes over what a book's own rules have found.
  init(_ finding: Finding, in book: FleetBook) {
    rule = finding.rule.rawValue
    severity = finding.severity
    title = finding.title
    places = [Place(book)]
    books = 1
    account = finding.account
    positions = finding.positions
    count = finding.count
    first = finding.first
    last = finding.last
    remedy = finding.remedy
  }

  /// Makes one of a rule across books.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - severity: How important it is.
  ///   - title: What happened.
  ///   - places: All books that it is about.
  ///   - positions: Its events.
  ///   - count: The number of events; `nil` for that of the books.
  ///   - span: When it began and ended.
  ///   - remedy: What to do, where that is not what the rule says.
  init(
    _ rule: FleetRule, _ severity: Finding.Severity, _ title: Sentence, in places: [Place],
    at positions: [Position] = [], count: Int64? = nil, _ span: ClosedRange<Timestamp>,
    remedy: String? = nil
  ) {
    self.rule = rule.rawValue
    self.severity = severity
    self.title = title
    self.places = Array(places.prefix(Self.mostPlaces))
    books = Set(places.map(\.book)).count
    account = nil
    self.positions = positions
    self.count = count ?? Int64(places.count)
    first = span.lowerBound
    last = span.upperBound
    self.remedy = remedy ?? rule.remedy
  }

  /// The order of findings: that of positions in one book, else that of times.
  func isBefore(_ other: FleetFinding, inOneBook: Bool) -> Bool {
    let (left, right) = (positions.first ?? .start, other.positions.first ?? .start)
    if inOneBook { return (left, rule) < (right, other.rule) }
    if first != other.first { return first < other.first }
    if rule != other.rule { return rule < other.rule }
    guard let left = places.first, let right = other.places.first else { return false }
    return (left.book, left.branch) < (right.book, right.branch)
  }
}

/// What the rules found in a fleet.
public struct FleetFindings: Sendable {
  /// The findings in the order of their first events.
  public internal(set) var findings: [FleetFinding] = []
  /// The rules that were not applied.
  public internal(set) var unchecked: [UncheckedRule] = []
  /// From when on renewals were looked at, if not all were: rules about storms read the newest
  /// ones.
  public internal(set) var renewalsSince: Timestamp?
  /// From when on rules about persons looked at logins, if not at all of them: they read the newest
  /// ones.
  public internal(set) var loginsSince: Timestamp?
  /// How many books have events without pseudonyms, where rules about persons were applied: they
  /// do not see these events.
  public internal(set) var booksWithoutPseudonyms = 0
}
