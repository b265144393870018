/// The rules at work: sees events in the order of the book and gathers what is to be looked at.
struct FindingFold {
  private var rules: [any AuditRule] = [
    PasswordGuessing(), TokenReuse(), RefreshStorm(), ClockJump(), TrustDecisions(),
  ]
  private var list = FindingList()
  /// Which of the rules see a kind.
  private let takers: [EventKind: [Int]]

  init() {
    var takers: [EventKind: [Int]] = [:]
    for (index, rule) in rules.enumerated() {
      for kind in type(of: rule).kinds { takers[kind, default: []].append(index) }
    }
    self.takers = takers
  }

  /// The kinds that some rule sees.
  var kinds: Set<EventKind> { Set(takers.keys) }

  /// Takes the next event of one of these kinds.
  mutating func take(_ event: ScannedEvent) {
    for index in takers[event.kind] ?? [] { rules[index].take(event, into: &list) }
  }

  /// The findings, including what was unfinished at the end of the log.
  func finished() -> FindingList {
    var fold = self
    for index in fold.rules.indices { fold.rules[index].finish(into: &fold.list) }
    return fold.list
  }
}
