import Gatebook
import GatebookSystem
import GatebookTestSupport
import Testing

@testable import GatebookFleet

struct AskPersonFindingTests {
  private static let ada = TestBook.ada
  private static let bob = TestBook.bob

  /// Books on machines from `lap1` on, each with an account of Ada and one of somebody else; what
  /// follows happens on each, one after the other.
  private func fleet(
    _ machines: Int, every pause: Duration = .seconds(60), user: String = "ada",
    _ story: (TestBook, Int) async throws -> Void
  ) async throws -> PersonFleet {
    let fleet = try await PersonFleet()
    for number in 1...machines {
      // The first logins themselves are far from each other.
      let book = try TestBook()
      book.clock.advance(by: .seconds(number * 7200))
      try await book.append(
        .login(Self.ada, user: user), .login(Self.bob, user: "other \(number)", userID: ""))
      book.clock.set(
        Moment(
          wall: Timestamp(rawValue: 1_800_000_000_000_000) + pause * (number - 1),
          boot: .seconds(900_000)))
      try await story(book, number)
      try await fleet.ship(book, as: "lap\(number)")
    }
    return fleet
  }

  private func findings(
    _ fleet: PersonFleet, _ scope: FleetScope = FleetScope(),
    _ filter: FleetFindingFilter = FleetFindingFilter()
  ) async throws -> (own: [FleetFinding], all: FleetFindings) {
    let all = try await fleet.reader().findings(
      scope, filter, at: Timestamp(rawValue: 1_800_000_500_000_000))
    return (all.findings.filter { $0.rule.hasPrefix("person.") }, all)
  }

  @Test func `wrong passwords of one person on three machines are found`() async throws {
    let fleet = try await fleet(4) { book, number in
      guard number != 2 else { return }
      try await book.append(
        .attempt(Self.ada), .attempt(Self.ada), .attempt(Self.bob, typed: "other \(number)"))
    }
    let (own, all) = try await findings(fleet)
    #expect(own.count == 1)
    let finding = try #require(own.first)
    #expect(finding.rule == "person.guessed")
    #expect(finding.severity == .alarm)
    #expect(finding.places.map(\.machine) == ["lap1", "lap3", "lap4"])
    #expect(finding.places.map(\.account) == [Self.ada, Self.ada, Self.ada])
    #expect(finding.books == 3)
    #expect(finding.count == 6)
    #expect(finding.last - finding.first == .seconds(180))
    #expect(!all.unchecked.map(\.rule).contains("person.guessed"))
    #expect(all.booksWithoutPseudonyms == 0)
    let text = try fleet.asked.ask(["findings"])
    #expect(
      text.output.contains("alarm    person.guessed, lap1 (account 00000000"), "\(text.output)")
    #expect(
      text.output.contains("of one person at https://mail.example was entered on 3 machines"))
    #expect(!(text.output + text.errors).contains("ada"))
    let line = try #require(
      fleet.asked.lines(["findings"]).first { $0.contains("person.guessed") })
    #expect(line.hasPrefix("{\"rule\":\"person.guessed\",\"severity\":\"alarm\",\"text\":"))
    #expect(line.contains("\"machine\":\"lap1\",\"account\":\"\(Self.ada)\"}"))
  }

  @Test func `two machines, or a longer time, are none`() async throws {
    let two = try await fleet(3) { book, number in
      if number < 3 { try await book.append(.attempt(Self.ada), .attempt(Self.ada)) }
    }
    #expect(try await findings(two).own.isEmpty)
    // The third machine comes an hour and a second after the first one.
    let slow = try await fleet(3, every: .milliseconds(1_800_500)) { book, _ in
      try await book.append(.attempt(Self.ada))
    }
    #expect(try await findings(slow).own.isEmpty)
    let fast = try await fleet(3, every: .seconds(1800)) { book, _ in
      try await book.append(.attempt(Self.ada))
    }
    #expect(try await findings(fast).own.count == 1)
    // A time that leaves out the first machine leaves two.
    let since = Timestamp(rawValue: 1_800_000_000_000_001)
    #expect(
      try await findings(fast, FleetScope(), FleetFindingFilter(since: since)).own.isEmpty)
  }

  @Test func `saved passwords, other names and other people's accounts do not count`() async throws
  {
    let fleet = try await fleet(4) { book, number in
      try await book.append(
        .attempt(Self.ada, isInteractive: false), .attempt(Self.ada, isOther: true),
        .attempt(Self.bob, typed: "other \(number)"))
    }
    #expect(try await findings(fleet).own.isEmpty)
  }

  @Test func `the same name at another server is somebody else`() async throws {
    let fleet = try await PersonFleet()
    for number in 1...4 {
      let book = try TestBook()
      try await book.append(.login(Self.ada, server: "https://mail\(number / 2).example"))
      book.clock.advance(by: .seconds(9000))
      try await book.append(.attempt(Self.ada))
      try await fleet.ship(book, as: "lap\(number)")
    }
    #expect(try await findings(fleet).own.isEmpty)
  }

  @Test func `an erased account belongs to nobody`() async throws {
    let fleet = try await fleet(3) { book, number in
      try await book.append(.attempt(Self.ada))
      if number == 2 { try await book.append(.erasing(Self.ada)) }
    }
    #expect(try await findings(fleet).own.isEmpty)
  }

  @Test func `logins of one person from five machines are found`() async throws {
    let fleet = try await fleet(6) { book, number in
      try await book.append(.attempt(Self.ada, isRefused: false, user: "ada"))
      // Saved credentials log in on all machines.
      try await book.append(
        .attempt(Self.bob, isInteractive: false, isRefused: false, user: "other \(number)"))
    }
    let own = try await findings(fleet).own
    #expect(own.map(\.rule) == ["person.everywhere"])
    #expect(own.first?.severity == .warning)
    #expect(own.first?.books == 6)
    #expect(own.first?.count == 6)
    let four = try await self.fleet(4) { book, _ in
      try await book.append(.attempt(Self.ada, isRefused: false, user: "ada"))
    }
    #expect(try await findings(four).own.isEmpty)
  }

  @Test func `who shares a name and who shares an id is one person`() async throws {
    let fleet = try await PersonFleet()
    // The first two have the id in common, the second two the name.
    let people = [("ada", "7"), ("ada@example.com", "7"), ("ada@example.com", "")]
    for (number, person) in people.enumerated() {
      let book = try TestBook()
      try await book.append(.login(Self.ada, user: person.0, userID: person.1))
      book.clock.advance(by: .seconds(9000))
      try await book.append(.attempt(Self.ada, typed: person.0))
      try await fleet.ship(book, as: "lap\(number)")
    }
    // No name is in three books.
    #expect(try await findings(fleet).own.isEmpty)
    let fourth = try TestBook()
    try await fourth.append(.login(Self.bob, user: "ada@example.com", userID: "7"))
    try await fleet.ship(fourth, as: "lap4")
    let own = try await findings(fleet).own
    #expect(own.count == 1)
    #expect(own.first?.books == 3)
  }

  @Test func `without pseudonyms the answer says why the rules were not applied`() async throws {
    let fleet = try await PersonFleet()
    let book = try await TestBook.of((Self.ada, "ada"))
    try await fleet.ship(book, as: "lap1", hasKey: false)
    let unchecked = try await findings(fleet).all.unchecked
    for rule in ["person.guessed", "person.everywhere"] {
      let reason = try #require(unchecked.first { $0.rule == rule }).reason
      #expect(reason.contains("the fleet has none"))
    }
    let text = try fleet.asked.ask(["findings"])
    #expect(text.errors.contains("Not checked: person.guessed, because it needs pseudonyms"))
    let json = try #require(fleet.asked.lines(["findings"]).last)
    #expect(json.contains("{\"rule\":\"person.everywhere\",\"reason\":\"it needs pseudonyms"))
  }

  @Test func `one book is compared with no other, and the answer says so`() async throws {
    let fleet = try await fleet(3) { book, _ in try await book.append(.attempt(Self.ada)) }
    for scope in [FleetScope(book: "lap1"), FleetScope(account: Self.ada.description)] {
      let (own, all) = try await findings(fleet, scope)
      #expect(own.isEmpty)
      let reason = try #require(all.unchecked.first { $0.rule == "person.guessed" }).reason
      #expect(reason.contains("compares many books"))
    }
  }

  @Test func `the answer says how many books the rules do not see`() async throws {
    let fleet = try await fleet(3) { book, _ in try await book.append(.attempt(Self.ada)) }
    try await fleet.ship(
      try await TestBook.of((Self.ada, "ada")), as: "lap4", hasKey: false)
    let (own, all) = try await findings(fleet)
    #expect(own.count == 1)
    #expect(all.booksWithoutPseudonyms == 1)
    let text = try fleet.asked.ask(["findings"])
    #expect(text.errors.contains("Rules about persons do not see all events of 1 book"))
  }
}
