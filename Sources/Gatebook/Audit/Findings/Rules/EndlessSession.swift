extension BookReader {
  /// ``FindingRule/endlessSession``: sessions that can be used, and nobody has used for long.
  ///
  /// Only an account's last session can be one: a login ends the one before.
  func endlessSessions(
    of account: AccountID?, at now: Moment
  ) throws(GatebookError) -> [Finding] {
    var findings: [Finding] = []
    for context in try accounts(at: now) where account == nil || context.account == account {
      guard context.state.isUsable, let state = try state(of: context.account),
        let last = try event(at: state.position),
        let finding = Finding(endless: context.account, state, lastEventAt: last.at, now)
      else { continue }
      findings.append(finding)
    }
    return findings
  }
}

extension Finding {
  /// ``FindingRule/endlessSession``: an account's session that can be used; `nil` where it had an
  /// event lately.
  package init?(
    endless account: AccountID, _ state: AccountState, lastEventAt last: Timestamp, _ now: Moment
  ) {
    guard now.wall - last >= .seconds(30 * 86_400) else { return nil }
    self.init(
      rule: .endlessSession, severity: .note,
      title: "The session can still be used, but had no event since \(last).",
      positions: [state.position], count: 1, account: account, first: state.started ?? last,
      last: last, remedy: FindingRule.endlessSession.remedy)
  }
}
