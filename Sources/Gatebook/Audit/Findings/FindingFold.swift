/// The rules at work: sees events in the order of the book and gathers what is to be looked at.
package struct FindingFold {
  private var rules: [any AuditRule]
  private var list = FindingList()
  /// Which of the rules see a kind.
  private let takers: [EventKind: [Int]]

  /// Puts rules to work.
  ///
  /// - Parameter chosen: Only these rules; `nil` for all that look at events.
  package init(_ chosen: Set<FindingRule>? = nil) {
    let all: [(rule: FindingRule, audit: any AuditRule)] = [
      (.passwordGuessing, PasswordGuessing()), (.tokenReuse, TokenReuse()),
      (.refreshStorm, RefreshStorm()), (.clockJump, ClockJump()),
      (.trustDecision, TrustDecisions()), (.proxyMisuse, ProxyMisuse()),
    ]
    rules = all.filter { chosen?.contains($0.rule) != false }.map(\.audit)
    var takers: [EventKind: [Int]] = [:]
    for (index, rule) in rules.enumerated() {
      for kind in type(of: rule).kinds { takers[kind, default: []].append(index) }
    }
    self.takers = takers
  }

  /// The kinds that some rule sees.
  package var kinds: Set<EventKind> { Set(takers.keys) }

  /// Takes the next event of one of these kinds.
  package mutating func take(_ event: ScannedEvent) {
    for index in takers[event.kind] ?? [] { rules[index].take(event, into: &list) }
  }

  /// The findings, including what was unfinished at the end of the log.
  package func finished() -> FindingList {
    var fold = self
    for index in fold.rules.indices { fold.rules[index].finish(into: &fold.list) }
    return fold.list
  }
}

/// One rule: sees the events of its kinds in the order of the book and says what is to be looked
/// at.
protocol AuditRule {
  /// The kinds that it sees.
  static var kinds: Set<EventKind> { get }

  /// Takes the next event.
  ///
  /// - Parameters:
  ///   - event: The event; its facts are good until this returns.
  ///   - findings: Where what it finds is put.
  mutating func take(_ event: ScannedEvent, into findings: inout FindingList)

  /// Adds what was unfinished at the end of the log.
  ///
  /// - Parameter findings: Where it is put.
  mutating func finish(into findings: inout FindingList)
}

/// What the rules have found so far, each with the number of its stream.
package struct FindingList {
  package private(set) var findings: [(stream: Int64, finding: Finding)] = []

  /// Adds what a rule has found, with what to do about it where that is not what the rule says.
  mutating func add(
    _ rule: FindingRule, _ severity: Finding.Severity, _ title: Sentence, remedy: String? = nil,
    _ incident: Incident
  ) {
    let finding = Finding(
      rule: rule, severity: severity, title: title, positions: incident.positions,
      count: incident.count, account: nil, first: incident.first, last: incident.last,
      remedy: remedy ?? rule.remedy)
    findings.append((incident.account, finding))
  }
}
