public import Gatebook
internal import GatebookEvents

extension FleetReader {
  /// What in a fleet needs a person's attention, by the rules of ``FleetRule`` and those of
  /// `FindingRule` that counters and the index of kinds answer.
  ///
  /// In one history of a book all rules about its events are applied. In many books those that
  /// would read each event are left out, and rules about storms read the newest million of
  /// renewals: the answer says so.
  ///
  /// - Parameters:
  ///   - scope: Which books and accounts.
  ///   - filter: Which findings.
  ///   - now: For findings about durations.
  /// - Returns: The findings, and which rules were not applied.
  /// - Throws: `configuration.invalid` for a book or an account that there is not; `fleet`
  ///   failures.
  public func findings(
    _ scope: FleetScope = FleetScope(), _ filter: FleetFindingFilter = FleetFindingFilter(),
    at now: Timestamp
  ) async throws(GatebookError) -> FleetFindings {
    try await ask(scope) { (selection, connection) async throws(GatebookError) in
      var answer = FleetFindings()
      let events = EventFindings(selection, filter, connection)
      if selection.only != nil {
        answer.findings += try events.all()
        answer.unchecked = [.weakKey] + UncheckedRule.aboutPersons
      } else {
        let storms = try Storms(selection, filter, connection)
        answer.renewalsSince = storms.since
        answer.findings += try storms.findings() + events.rare() + events.guessed()
        answer.findings += try events.found(
          [.refreshStorm], in: storms.suspects, since: storms.since)
        answer.unchecked = [.tokenReuse, .weakKey] + UncheckedRule.aboutPersons
      }
      if filter.tellsNow(now) {
        answer.findings += try EndlessSessions(selection, connection).findings(at: .past(now))
      }
      // An account has no shipments.
      if selection.account == nil {
        answer.findings += try ShipmentFindings(selection, filter, connection).findings(at: now)
      }
      let isOfOne = selection.only != nil
      answer.findings.sort { $0.isBefore($1, inOneBook: isOfOne) }
      return answer
    }
  }
}

extension UncheckedRule {
  fileprivate static let weakKey = UncheckedRule(
    rule: FindingRule.weakKey.rawValue,
    reason:
      "a book does not tell the fleet where its key is; `gatebook findings` on its machine does")
  fileprivate static let tokenReuse = UncheckedRule(
    rule: FindingRule.tokenReuse.rawValue,
    reason: "it reads all renewals of a book; name one book with `--book`")
  fileprivate static let aboutPersons = [FleetRule.personGuessed, .personEverywhere].map {
    UncheckedRule(
      rule: $0.rawValue,
      reason: "it needs pseudonyms of persons, and the fleet has none")
  }
}
