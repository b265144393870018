extension BookReader {
  /// What in the log needs a person's attention, by the rules of ``FindingRule``.
  ///
  /// It needs no key. It reads the events of the rules' kinds once; its memory grows with the
  /// number of accounts, not of events.
  ///
  /// - Parameters:
  ///   - account: Only findings about this account; `nil` for all, including logins of unknown
  ///     users.
  ///   - since: Only what happened from this moment on, plus findings about the present, such as a
  ///     session that never ended; `nil` for all.
  ///   - until: Only what happened before this moment; for a moment in the past, findings about the
  ///     present are left out. `nil` for all.
  ///   - now: Both clocks, for findings about durations.
  /// - Returns: The findings in the order of their first events.
  /// - Throws: Storage failures.
  public func findings(
    of account: AccountID? = nil, since: Timestamp? = nil, until: Timestamp? = nil, at now: Moment
  ) throws(GatebookError) -> [Finding] {
    var fold = FindingFold()
    try scan(fold.kinds, of: account, since: since) { event throws(GatebookError) in
      if until.map({ event.at < $0 }) != false { fold.take(event) }
    }
    return try findings(fold, of: account, until: until, at: now)
  }

  /// What a fold has found, and what is so now, in the order of their first events.
  func findings(
    _ fold: FindingFold, of account: AccountID?, until: Timestamp? = nil, at now: Moment
  ) throws(GatebookError) -> [Finding] {
    var list = fold.finished()
    let tellsNow = until.map { $0 > now.wall } != false
    if tellsNow {
      // What is saved now may have been saved before any moment.
      var saved = SavedCredentials()
      try scan(SavedCredentials.kinds, of: account) { event throws(GatebookError) in
        saved.take(event)
      }
      saved.finish(KeyStrength(self), into: &list)
    }
    var findings: [Finding] = []
    for (stream, var finding) in list.findings {
      finding.account = stream == 0 ? nil : try eventNames.account(stream)
      findings.append(finding)
    }
    if tellsNow {
      findings += try savedBefore(of: account, besides: findings)
      findings += try endlessSessions(of: account, at: now)
    }
    return findings.sorted {
      ($0.positions.first ?? .start, $0.rule.rawValue)
        < ($1.positions.first ?? .start, $1.rule.rawValue)
    }
  }

  /// Credentials that were saved before the book continued an archive or a recovery, and still are:
  /// only the state shows them, so the finding names the log's first event.
  private func savedBefore(
    of account: AccountID?, besides findings: [Finding]
  ) throws(GatebookError) -> [Finding] {
    guard let (severity, title) = SavedCredentials.judge(KeyStrength(self)),
      let past = try continuation(),
      let start = try event(at: Position(rawValue: past.floor.rawValue + 1))
    else { return [] }
    let known = Set(findings.filter { $0.rule == .weakKey }.compactMap(\.account))
    var before: [Finding] = []
    for id in try accounts().map(\.account) where !known.contains(id) {
      guard account == nil || account == id, try state(of: id)?.savedCredentials == true else {
        continue
      }
      before.append(
        Finding(
          rule: .weakKey, severity: severity, title: title, positions: [start.position], count: 1,
          account: id, first: start.at, last: start.at, remedy: FindingRule.weakKey.remedy))
    }
    return before
  }
}
