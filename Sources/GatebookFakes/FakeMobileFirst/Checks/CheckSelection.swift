/// The security checks that a scope needs, in the order in which they are evaluated.
struct CheckSelection: Hashable, Sendable {
  /// The names that must all have succeeded.
  private(set) var required: [String]
  /// All that are evaluated, each after the one it depends on.
  private(set) var evaluated: [String] = []

  /// Selects checks.
  ///
  /// - Parameters:
  ///   - required: The names that must have succeeded.
  ///   - checks: All checks there are.
  init(_ required: [String], from checks: [FakeSecurityCheck]) {
    self.required = required
    var visited: Set<String> = []
    for name in required { visit(name, checks, &visited) }
  }

  private mutating func visit(
    _ name: String, _ checks: [FakeSecurityCheck], _ visited: inout Set<String>
  ) {
    guard let check = checks.first(where: { $0.name == name }), visited.insert(name).inserted else {
      return
    }
    if let other = check.dependency, required.contains(other) {
      visit(other, checks, &visited)
    }
    evaluated.append(name)
  }
}

/// A scope, taken apart at white space.
struct ScopeElements: Hashable, Sendable {
  /// The scope of every registered client; its name is reserved.
  static let registeredClient = "FakeRegisteredClient"

  /// The elements in their order, the default one left out.
  let named: [String]

  init(_ scope: String) {
    named = scope.split(whereSeparator: \.isWhitespace).map(String.init)
      .filter { $0 != Self.registeredClient }
  }

  /// The scope as a refusal names it: the default one first.
  var inFull: String {
    ([Self.registeredClient] + named).joined(separator: " ")
  }
}

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
