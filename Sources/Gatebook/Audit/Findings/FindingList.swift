/// What the rules have found so far.
struct FindingList {
  /// A finding whose account is a number of the book's dictionary yet.
  struct Draft {
    let rule: FindingRule
    let severity: Finding.Severity
    let title: Sentence
    let incident: Incident
  }

  private(set) var drafts: [Draft] = []

  mutating func add(
    _ rule: FindingRule, _ severity: Finding.Severity, _ title: Sentence, _ incident: Incident
  ) {
    drafts.append(Draft(rule: rule, severity: severity, title: title, incident: incident))
  }
}
