/// What the checks of a scope tell together.
struct ScopeEvaluation: Hashable, Sendable {
  private(set) var successes: PlainJSON = [:]
  private(set) var challenges: PlainJSON = [:]
  private(set) var failures: PlainJSON = [:]

  /// Adds what one check tells.
  mutating func add(_ outcome: SecurityCheckState.Outcome, of check: FakeSecurityCheck) {
    switch outcome {
    case .success(let user):
      successes[check.name] = user.map { ["user": $0.json] } ?? [:]
    case .challenge(let message, let remaining):
      challenges[check.name] = check.challenge(message, remaining: remaining)
    case .blocked: failures[check.name] = ["failure": "Account blocked"]
    }
  }

  /// Adds the server's time after the successes of checks.
  mutating func addClock(_ milliseconds: Int64) {
    successes["clockSynchronization"] = ["serverTimeStamp": .integer(milliseconds)]
  }
}
