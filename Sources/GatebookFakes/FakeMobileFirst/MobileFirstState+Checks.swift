internal import Gatebook

extension MobileFirstState {
  /// Evaluates the checks of a selection once each, as one request does.
  ///
  /// - Parameters:
  ///   - selection: Which checks, in order.
  ///   - clientID: A registered client.
  ///   - answers: The credentials by check; `null` counts as none (inferred).
  /// - Returns: What the checks tell.
  mutating func evaluate(
    _ selection: CheckSelection, of clientID: String, answers: PlainJSON? = nil
  ) -> ScopeEvaluation {
    var evaluation = ScopeEvaluation()
    for name in selection.evaluated {
      guard let check = application.check(name), speaks(check, to: clientID) else { continue }
      var credentials = answers?[name]
      if credentials == .null { credentials = nil }
      let verdict = credentials.flatMap { check.verdict(on: $0, at: told) }
      var state = clients[clientID]?.state(of: name) ?? SecurityCheckState()
      let outcome = state.evaluate(
        verdict, by: check.settings, at: now, isQuirky: switches.quirkMode)
      clients[clientID]?.states[name] = state
      evaluation.add(outcome, of: check)
    }
    return evaluation
  }

  /// What a token for a selection would rest on now; `nil` unless all its checks have succeeded.
  func foundation(_ selection: CheckSelection, of clientID: String) -> TokenFoundation? {
    var foundation = TokenFoundation(expiresAt: now + application.maxTokenExpiration)
    for name in selection.required {
      guard let check = application.check(name) else { return nil }
      if case .silent(let passes) = check.kind {
        guard passes else { return nil }
        foundation.successes[name] = .some(nil)
        continue
      }
      guard let success = success(of: check, for: clientID), speaks(check, to: clientID) else {
        return nil
      }
      foundation.successes[name] = success.successCount
      if let end = success.end(by: check.settings) {
        foundation.expiresAt = min(foundation.expiresAt, end)
      }
    }
    return foundation
  }

  /// Whether every check that a token rests on is still in the success phase it was in then.
  func isFounded(_ token: GrantedToken) -> Bool {
    token.successes.allSatisfy { name, count in
      guard let check = application.check(name) else { return false }
      if case .silent(let passes) = check.kind { return passes }
      guard let count else { return true }
      return success(of: check, for: token.clientID)?.successCount == count
    }
  }

  /// Notes that a client used its checks, which keeps them from ending for inactivity.
  mutating func touch(_ names: some Sequence<String>, of clientID: String) {
    for name in names {
      guard let settings = application.check(name)?.settings else { continue }
      clients[clientID]?.states[name]?.settle(by: settings, at: now)
      clients[clientID]?.states[name]?.touch(at: now)
    }
  }

  /// A step-up check says nothing until the check it depends on has succeeded; a silent one never
  /// says anything.
  private func speaks(_ check: FakeSecurityCheck, to clientID: String) -> Bool {
    if case .silent = check.kind { return false }
    guard let dependency = check.dependency else { return true }
    guard let other = application.check(dependency) else { return false }
    return success(of: other, for: clientID) != nil
  }

  private func success(of check: FakeSecurityCheck, for clientID: String) -> SecurityCheckState? {
    guard var state = clients[clientID]?.states[check.name] else { return nil }
    state.settle(by: check.settings, at: now)
    return state.phase == .success ? state : nil
  }
}
