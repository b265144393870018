/// What the checks of a scope tell together.
struct ScopeEvaluation: Hashable, Sendable {
  private(set) var successes: [PlainJSON.Member] = []
  private(set) var challenges: [PlainJSON.Member] = []
  private(set) var failures: [PlainJSON.Member] = []

  /// Adds what one check tells.
  mutating func add(_ outcome: SecurityCheckState.Outcome, of check: FakeSecurityCheck) {
    switch outcome {
    case .success(let user):
      let payload = user.map { PlainJSON.named(["user": $0.json]) } ?? .object([])
      successes.append(PlainJSON.Member(name: check.name, value: payload))
    case .challenge(let message, let remaining):
      let payload = check.challenge(message, remaining: remaining)
      challenges.append(PlainJSON.Member(name: check.name, value: payload))
    case .blocked:
      let payload = PlainJSON.named(["failure": .string("Account blocked")])
      failures.append(PlainJSON.Member(name: check.name, value: payload))
    }
  }

  /// Adds the server's time behind the successes of checks.
  mutating func addClock(_ milliseconds: Int64) {
    let clock = PlainJSON.named(["serverTimeStamp": .integer(milliseconds)])
    successes.append(PlainJSON.Member(name: "clockSynchronization", value: clock))
  }
}
