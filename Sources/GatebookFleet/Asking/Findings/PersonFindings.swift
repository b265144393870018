internal import Gatebook
internal import GatebookEvents

/// The rules about one person on many machines: they compare pseudonyms, and need no key.
struct PersonFindings {
  let selection: FleetSelection
  let filter: FleetFindingFilter
  let connection: FleetConnection

  /// Why the rules cannot be applied; `nil` where they can.
  func obstacle() throws(GatebookError) -> String? {
    let books = Set(selection.books.map(\.id)).count
    guard selection.accounts == nil, selection.isWhole || books > 1 else {
      return "it compares many books; ask without `--book` and without an account"
    }
    guard try PersonMatch.key(of: connection) != nil else {
      return
        "it needs pseudonyms of persons, and the fleet has none; `gatebook ship --pseudonym-key` adds them"
    }
    return nil
  }

  /// Adds the findings.
  ///
  /// - Parameter findings: The others.
  /// - Returns: All of them, and from when on logins were looked at, if not at all.
  /// - Throws: `fleet` failures.
  func added(
    to findings: [FleetFinding]
  ) throws(GatebookError) -> (findings: [FleetFinding], since: Timestamp?) {
    let fewest = PersonRule.fewestMachines
    let persons = try SharedPersons(selection, inAtLeast: fewest, connection)
      .persons(selection, inAtLeast: fewest)
    guard !persons.isEmpty else { return (findings, nil) }
    let since =
      filter.since == nil
      ? try NewestEvents.start(of: Self.kinds, selection, connection) : nil
    let events = try events(of: persons, since: filter.since ?? since)
    var findings = findings
    for (person, events) in zip(persons, events) {
      for rule in PersonRule.allCases {
        let bursts = PersonBursts.all(
          events[rule] ?? [], machines: rule.machines, within: PersonRule.window)
        findings += bursts.map { finding(rule, $0, at: person.server) }
      }
    }
    return (findings, since)
  }

  private func finding(
    _ rule: PersonRule, _ burst: PersonBursts.Burst, at server: String
  ) -> FleetFinding {
    let accounts = Dictionary(grouping: burst.places) { History(book: $0.book, branch: $0.branch) }
    let places = selection.books.flatMap { book in
      (accounts[History(book: book.id, branch: book.branch)] ?? []).map(\.account).sorted().map {
        FleetFinding.Place(book, account: $0)
      }
    }
    return FleetFinding(
      rule.rule, rule.severity, rule.title(burst.machines, at: server), in: places,
      count: burst.count, burst.first...burst.last)
  }

  private struct History: Hashable {
    let book: BookID
    let branch: Int
  }

  // MARK: Events

  private static let kinds: [EventKind] = [.loginSucceeded, .loginFailed, .challengeFailed]
  /// Events of one account within so many microseconds are read as one row.
  private static let minute = 60_000_000

  /// The events of each person that count, by rule.
  private func events(
    of persons: [SharedPersons.Person], since: Timestamp?
  ) throws(GatebookError) -> [[PersonRule: [PersonBursts.Event]]] {
    var numbers: [BookID: [AccountID: Int]] = [:]
    for (number, person) in persons.enumerated() {
      for book in person.accounts.books {
        for account in person.accounts.of(book) { numbers[book, default: [:]][account] = number }
      }
    }
    let (statement, conditions) = question(
      ChosenAccounts(numbers.mapValues { Set($0.keys) }), since: since)
    let rows = try connection.byKeys { () throws(GatebookError) in
      try connection.partByPart { () throws(GatebookError) in
        try connection.run(statement, conditions)
      }
    }
    var events = [[PersonRule: [PersonBursts.Event]]](repeating: [:], count: persons.count)
    for number in 0..<rows.count {
      let row = rows[number]
      guard let book: BookID = row.identity(0), let account: AccountID = row.identity(2),
        let person = numbers[book]?[account]
      else { continue }
      let place = PersonBursts.Place(book: book, branch: Int(row.integer(1)), account: account)
      let first = Timestamp(rawValue: row.integer(4))
      let last = Timestamp(rawValue: row.integer(5))
      let rule = row.bool(3) ? PersonRule.everywhere : .guessed
      events[person][rule, default: []].append(
        PersonBursts.Event(place: place, at: first, count: row.integer(6)))
      if last > first {
        events[person][rule, default: []].append(
          PersonBursts.Event(place: place, at: last, count: 0))
      }
    }
    return events
  }

  /// The statement that counts them.
  ///
  /// A login that a person has not typed counts for nothing, and a name that is not the account's
  /// is somebody else's: the beginning of the login says both. It is looked up only for the logins
  /// of these accounts.
  func question(
    _ accounts: ChosenAccounts, since: Timestamp?
  ) -> (statement: String, conditions: FleetConditions) {
    var conditions = FleetConditions()
    conditions.add("kind = ANY(?)", .texts(Self.kinds.map(\.rawValue)))
    conditions.add(since: since, until: filter.until)
    conditions.add("book = ANY(?)", .identities(accounts.books.sorted()))
    accounts.restrict(&conditions)
    selection.restrict(&conditions)
    let clause = conditions.clause
    let starts = conditions.place(
      of: .texts([EventKind.loginStarted, .challengeAnswered].map(\.rawValue)))
    let login = conditions.place(of: .text(EventKind.loginSucceeded.rawValue))
    let refused = conditions.place(
      of: .text("\"code\":\"\(FailureCode.credentialsRefused.rawValue)\""))
    return (
      """
      SELECT e.book, e.branch, e.account, e.kind = \(login), min(e.at), max(e.at), count(*)
      FROM (SELECT book, branch, account, kind, at, cause, data FROM gatebook.event \(clause)) e
        LEFT JOIN (SELECT book, branch, position, data FROM gatebook.event
          WHERE kind = ANY(\(starts)) AND (strpos(data, '"interactive":false') > 0
            OR strpos(data, '"name":"') > 0)) s
        ON s.book = e.book AND s.branch = e.branch AND s.position = e.cause
      WHERE (e.kind = \(login) AND (s.data IS NULL OR strpos(s.data, '"interactive":false') = 0))
        OR (strpos(e.data, \(refused)) > 0 AND s.data IS NULL)
      GROUP BY e.book, e.branch, e.account, e.kind = \(login), e.at / \(Self.minute)
      """, conditions
    )
  }
}
