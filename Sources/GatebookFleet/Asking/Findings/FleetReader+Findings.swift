public import Gatebook
internal import GatebookEvents

extension FleetReader {
  /// What in a fleet needs a person's attention, by the rules of ``FleetRule`` and those of
  /// `FindingRule` that counters and the index of kinds answer.
  ///
  /// In one history of a book all rules about its events are applied. In many books those that
  /// would read each event are left out. Rules about storms read the newest half million of
  /// renewals there, and rules about persons that of logins. The answer says so.
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
      let events = EventFindings(selection: selection, filter: filter, connection: connection)
      if selection.only != nil {
        answer.findings += try events.all()
        answer.unchecked = [.weakKey]
      } else {
        let storms = try Storms(selection, filter, connection)
        answer.renewalsSince = storms.since
        answer.findings += try storms.findings() + events.rare() + events.guessed()
        answer.findings += try events.found(
          [.refreshStorm], in: storms.suspects, since: storms.since)
        answer.unchecked = [.tokenReuse, .weakKey]
      }
      let persons = PersonFindings(selection: selection, filter: filter, connection: connection)
      if let obstacle = try persons.obstacle() {
        answer.unchecked += UncheckedRule.aboutPersons(obstacle)
      } else {
        (answer.findings, answer.loginsSince) = try persons.added(to: answer.findings)
        answer.booksWithoutPseudonyms = selection.books.booksWithoutPseudonyms
      }
      if filter.tellsNow(now) {
        answer.findings += try EndlessSessions(selection: selection, connection: connection)
          .findings(at: .past(now))
      }
      // An account has no shipments.
      if selection.accounts == nil {
        answer.findings += try ShipmentFindings(
          selection: selection, filter: filter, connection: connection
        ).findings(at: now)
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
  fileprivate static func aboutPersons(_ reason: String) -> [UncheckedRule] {
    PersonRule.allCases.map { UncheckedRule(rule: $0.rule.rawValue, reason: reason) }
  }
}
