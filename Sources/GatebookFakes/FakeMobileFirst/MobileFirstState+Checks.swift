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
      var state = clients[clientID]?.states[name] ?? SecurityCheckState()
      let outcome = state.evaluate(verdict, by: check.settings, at: now)
      clients[clientID]?.states[name] = state
      evaluation.add(outcome, of: check)
    }
    return evaluation
  }

  /// The token that a client can have for a scope now; `nil` unless all its checks have succeeded.
  func token(for scope: String, of clientID: String) -> GrantedToken? {
    guard let selection = application.selection(for: scope) else { return nil }
    var token = GrantedToken(
      clientID: clientID, scope: scope, expiresAt: now + application.maxTokenExpiration)
    for name in selection.required {
      guard let check = application.check(name), let success = success(of: check, for: clientID),
        speaks(check, to: clientID)
      else { return nil }
      token.successes[name] = success.successCount
      if let end = success.end(by: check.settings) { token.expiresAt = min(token.expiresAt, end) }
    }
    return token
  }

  /// Whether every check that a token rests on is still in the success phase it was in then.
  func isFounded(_ token: GrantedToken) -> Bool {
    token.successes.allSatisfy { name, count in
      application.check(name).flatMap { success(of: $0, for: token.clientID) }?.successCount
        == count
    }
  }

  /// A step-up check says nothing until the check it depends on has succeeded.
  private func speaks(_ check: FakeSecurityCheck, to clientID: String) -> Bool {
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
