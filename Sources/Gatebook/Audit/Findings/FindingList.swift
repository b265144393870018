/// What the rules have found so far.
struct FindingList {
  /// A finding whose account is a number of the book's dictionary yet.
  struct Draft {
    let rule: FindingRule
    let severity: Finding.Severity
    let title: Sentence
    let remedy: String
    let incident: Incident
  }

  private(set) var drafts: [Draft] = []

  /// Adds what a rule has found, with what to do about it where that is not what the rule says.
  mutating func add(
    _ rule: FindingRule, _ severity: Finding.Severity, _ title: Sentence, remedy: String? = nil,
    _ incident: Incident
  ) {
    drafts.append(
      Draft(
        rule: rule, severity: severity, title: title, remedy: remedy ?? rule.remedy,
        incident: incident))
  }
}
