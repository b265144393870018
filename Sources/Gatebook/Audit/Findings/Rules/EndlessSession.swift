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
        let last = try event(at: state.position), now.wall - last.at >= .seconds(30 * 86_400)
      else { continue }
      findings.append(
        Finding(
          rule: .endlessSession, severity: .note,
          title:
            "The session can still be used, but had no event since \(last.at).",
          positions: [last.position], count: 1, account: context.account,
          first: state.started ?? last.at, last: last.at, remedy: FindingRule.endlessSession.remedy)
      )
    }
    return findings
  }
}
