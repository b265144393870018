import Gatebook
import GatebookSystem
import GatebookTestSupport
import Testing

@testable import GatebookFleet

struct AskFindingTests {
  private func findings(
    _ fleet: TestFleet, _ scope: FleetScope = FleetScope(),
    _ filter: FleetFindingFilter = FleetFindingFilter(), at now: Timestamp? = nil
  ) async throws -> FleetFindings {
    try await FleetReader(try fleet.access(.auditor)).findings(
      scope, filter, at: now ?? SystemClock().now().wall)
  }

  private func rules(_ findings: FleetFindings) -> [String] {
    Array(Set(findings.findings.map(\.rule))).sorted()
  }

  @Test func `over many books the rules find what they find in each`() async throws {
    let fleet = try await TestFleet()
    let (first, second) = (try await TestBook.eventful(), try await TestBook.eventful())
    try await fleet.ship(first, options: ShipmentOptions(machine: "lap1"))
    try await fleet.ship(second, options: ShipmentOptions(machine: "lap2"))
    try await fleet.ship(
      try await TestBook.written(), options: ShipmentOptions(machine: "lap3"))
    let now = first.clock.now().wall
    let all = try await findings(fleet, at: now)
    for (book, machine) in [(first, "lap1"), (second, "lap2")] {
      let own = try await findings(fleet, FleetScope(book: machine), at: now)
      let expected = own.findings.filter { $0.rule != "token.reuse" }
      let found = all.findings.filter { $0.places.map(\.machine) == [machine] }
      #expect(found == expected)
      #expect(
        expected.map(\.rule).sorted() == [
          "clock.jump", "password.guessing", "refresh.storm", "trust.decision",
        ])
      let id = try book.id
      #expect(expected.allSatisfy { $0.places[0].book == id })
    }
    #expect(all.unchecked.map(\.rule).contains("token.reuse"))
    #expect(all.unchecked.map(\.rule).contains("person.guessed"))
    #expect(all.renewalsSince == nil)
  }

  @Test func `a time leaves out what was before it, and after it`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.eventful()
    try await fleet.ship(book)
    let now = book.clock.now().wall
    let after = try await findings(
      fleet, FleetScope(), FleetFindingFilter(since: now + .seconds(1)), at: now)
    #expect(after.findings.isEmpty)
    let before = try await findings(
      fleet, FleetScope(), FleetFindingFilter(until: now - .seconds(600)), at: now)
    #expect(before.findings.isEmpty)
  }

  @Test func `a book that was heard regularly and fell silent is found`() async throws {
    let fleet = try await TestFleet()
    for number in 1...3 {
      try await fleet.ship(
        try await TestBook.written(events: 5), options: ShipmentOptions(machine: "lap\(number)"))
    }
    // The second was heard once only, the third is heard today.
    try fleet.run(
      """
      UPDATE gatebook.branch SET days = 5 WHERE machine <> 'lap2';
      UPDATE gatebook.branch SET begun = now() - interval '30 days', heard = now() - interval '8 days'
        WHERE machine <> 'lap3'
      """)
    let now = SystemClock().now().wall
    let found = try await findings(fleet, at: now).findings.filter { $0.rule == "book.silent" }
    #expect(found.map { $0.places[0].machine } == ["lap1"])
    #expect(found.first?.severity == .warning)
    let patient = FleetFindingFilter(silentAfter: .seconds(9 * 86_400))
    #expect(
      try await !rules(findings(fleet, FleetScope(), patient, at: now)).contains("book.silent"))
    let asked = Asked(fleet: fleet)
    #expect(try asked.ask(["findings", "--severity", "warning", "--fail"]).exit == 1)
    #expect(
      try asked.ask(["findings", "--severity", "warning", "--fail", "--silent-after", "9d"]).exit
        == 0)
  }

  @Test func `a day on which a book is shipped again counts once`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 5)
    try await fleet.ship(book)
    try await fleet.ship(book)
    #expect(try fleet.value("SELECT days FROM gatebook.branch") == "1")
    for days in 2...3 {
      try fleet.run("UPDATE gatebook.branch SET heard = heard - interval '1 day'")
      if days == 3 { try await book.append(.note("new")) }
      try await fleet.ship(book)
      #expect(try fleet.value("SELECT days FROM gatebook.branch") == "\(days)")
    }
  }

  @Test func `a fork, an unsigned head and withheld facts are found`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    let copy = try book.copied()
    try await fleet.ship(book)
    try await copy.append(.note("there"))
    try await book.append(.note("here"))
    try await fleet.ship(book)
    try await fleet.ship(copy, isSigned: false)
    let personal = try await TestBook.written(events: 20)
    try await fleet.ship(personal, options: ShipmentOptions(sendsPersonal: false))
    let found = try await findings(fleet).findings
    let fork = try #require(found.first { $0.rule == "book.forked" })
    #expect(fork.severity == .alarm)
    #expect(fork.positions == [Position(rawValue: 29)])
    #expect(fork.places.map(\.branch) == [1])
    let unsigned = try #require(found.first { $0.rule == "head.unsigned" })
    #expect(try unsigned.places.map(\.book) == [book.id])
    let withheld = try #require(found.first { $0.rule == "events.withheld" })
    #expect(try withheld.places.map(\.book) == [personal.id])
    #expect(withheld.severity == .note)
    let text = try Asked(fleet: fleet).ask(["findings"]).output
    #expect(text.contains("alarm    book.forked, laptop (branch 1)"))
  }

  @Test(arguments: [
    "UPDATE gatebook.branch SET root = sha256('')",
    "UPDATE gatebook.branch SET size = size - 1",
    "UPDATE gatebook.branch SET checkpoint = replace(checkpoint, 'gatebook', 'gateb00k')",
    "UPDATE gatebook.branch SET checkpoint = 'no note'",
  ])
  func `a checkpoint that does not fit the head is found`(change: String) async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    let copy = try book.copied()
    try await fleet.ship(book)
    try await copy.append(.note("there"))
    try await book.append(.note("here"))
    try await fleet.ship(book)
    try await fleet.ship(copy)
    #expect(try await !findings(fleet).findings.contains { $0.rule == "checkpoint.mismatch" })
    try fleet.run("\(change) WHERE branch = 1")
    let found = try await findings(fleet).findings.filter { $0.rule == "checkpoint.mismatch" }
    #expect(found.map(\.severity) == [.alarm])
    #expect(try found.flatMap(\.places).map(\.book) == [book.id])
    #expect(found.flatMap(\.places).map(\.branch) == [1])
  }

  @Test func `what the fleet refused is found`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    try await fleet.ship(book)
    let id = try book.id
    try fleet.run(
      """
      SELECT gatebook.accept('\(id)', 0, 1, NULL, NULL, false, '{}', '{}', '{}', '{}')
      """, as: .secondShipper)
    let found = try await findings(fleet).findings.filter { $0.rule == "batch.refused" }
    #expect(found.count == 1)
    #expect(found.first?.severity == .alarm)
    #expect(found.first?.places.map(\.book) == [id])
    #expect(found.first?.title.text { "\($0)" }.contains("lap2") == true)
  }

  @Test func `a version that renews in storms is found on all machines`() async throws {
    let fleet = try await TestFleet()
    let storming = Program(
      name: "mail", version: "2.2", installation: InstallationID(high: 1, low: 3))
    for number in 1...3 {
      let book = try TestBook()
      try await book.append(.login(TestBook.ada))
      // One a minute for 59 minutes is none; the second and third book have one more.
      let store = try await book.open(number == 1 ? TestBook.program : storming)
      book.clock.set(Moment(wall: Timestamp(rawValue: 1_800_000_000_000_000), boot: .seconds(9)))
      for index in 0..<(number == 1 ? 59 : 60) {
        _ = try await store.append(
          Append([
            ProposedEvent(
              .refreshSucceeded, account: TestBook.ada,
              session: SessionID(high: 0x5E55, low: TestBook.ada.low),
              data: ["boot": 1000, "generation": .integer(Int64(index) + 2)])
          ]))
        book.clock.advance(by: .seconds(59))
      }
      await store.close()
      try await fleet.ship(book, options: ShipmentOptions(machine: "lap\(number)"))
    }
    let found = try await findings(fleet).findings.filter { $0.rule == "version.storm" }
    #expect(found.count == 1)
    #expect(found.first?.places.map(\.machine) == ["lap2", "lap3"])
    #expect(found.first?.count == 120)
    #expect(found.first?.title.text { "\($0)" }.hasPrefix("mail 2.2 renewed") == true)
  }

  @Test func `a usable session without an event for a month is found`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    try await fleet.ship(book)
    let now = book.clock.now().wall
    #expect(try await !rules(findings(fleet, at: now)).contains("session.endless"))
    let later = now + .seconds(31 * 86_400)
    let found = try await findings(fleet, at: later).findings.filter {
      $0.rule == "session.endless"
    }
    let local = try book.reader().findings(at: .past(later)).filter { $0.rule == .endlessSession }
    #expect(found.map(\.positions) == local.map(\.positions))
    #expect(found.map(\.title) == local.map(\.title))
    #expect(found.count == 2)
  }
}
