import Gatebook
import GatebookStore
import GatebookSystem
import GatebookTestSupport
import Testing

@testable import GatebookFleet

/// What shippers bring after the fleet forgot events.
@Suite struct ForgetShippingTests {
  private func ship(_ path: String, _ fleet: TestFleet) async throws(GatebookError) -> ShipReport {
    try await BookShipment(of: path, key: nil, to: try fleet.access()).ship()
  }

  private func branches(_ fleet: TestFleet) throws -> [String] {
    try fleet.rows("SELECT branch, base, first FROM gatebook.branch ORDER BY branch")
  }

  @Test func `a shipper continues, with archives made before and after`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 300)
    let first = try await book.archive("first.book")
    _ = try await ship(first.path, fleet)
    try await book.grow(by: 300)
    try await fleet.ship(book)
    let end = try await fleet.forget(book, before: 450)
    #expect(try fleet.rows("SELECT DISTINCT left(part, 6) FROM gatebook.past") == ["(start.)"])
    try await fleet.expectVerified(forgotten: [end])
    // What was archived before is all old: nothing is sent, and nothing is wrong.
    for _ in 0..<2 {
      #expect(try await ship(first.path, fleet).events == 0)
      #expect(try await fleet.ship(book).events == 0)
    }
    let second = try await book.archive("second.book")
    try await book.grow(by: 40)
    #expect(try await fleet.ship(book).events == 41)
    #expect(try await ship(second.path, fleet).events == 0)
    try await fleet.expectVerified(forgotten: [end])
    #expect(try branches(fleet) == ["(0,0,\(end + 1))"])
    #expect(
      try fleet.rows("SELECT floor, forgotten FROM gatebook.branch") == [
        "(\(second.end),\(end))"
      ])
    #expect(try fleet.rows("SELECT code FROM gatebook.notice") == ["(fleet.forgotten)"])
    let stage = try TestFolder()
    let report = try await FleetPull(from: try fleet.access(.auditor)).pull(
      nil, to: stage.file("pulled"))
    #expect(report.first.rawValue == end + 1)
    #expect(try await BookVerifier(path: stage.file("pulled")).verify().ok)
    // Beyond the second archive.
    let last = try await fleet.forget(before: book.clock.now().wall).forgotten.first?.last
    #expect(last ?? .start > second.end)
    try await fleet.expectVerified()
    try await book.grow(by: 10)
    try await fleet.ship(book)
    try await fleet.expectVerified()
  }

  @Test func `up to the end of an archive, and a book that begins there`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 300)
    book.clock.advance(by: .seconds(10))
    let archive = try await book.archive()
    let place = try book.putAway(archive)
    try await book.grow(by: 100)
    try await fleet.ship(book)
    #expect(try branches(fleet) == ["(0,0,310)"])
    let copy = try await TestFleet()
    _ = try await ship(place, copy)
    try await copy.ship(book)
    let moment = try book.moment(of: 310)
    #expect(try await copy.forget(before: moment).forgotten.map(\.last) == [archive.end])
    try await copy.expectVerified(forgotten: [309])
    #expect(try await fleet.forget(before: moment).forgotten.isEmpty)
    for one in [fleet, copy] {
      let end = try await one.forget(before: book.moment(of: 400)).forgotten.first?.last.rawValue
      #expect(end ?? 0 > 310)
      try await one.expectVerified()
      try await book.grow(by: 3)
      try await one.ship(book)
      try await one.expectVerified()
      #expect(try await ship(place, one).events == 0)
    }
  }

  @Test func `a backup from before is refused, and its new events are a second history`()
    async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 100)
    let early = try book.copied()
    try await book.grow(by: 500)
    let late = try book.copied()
    try await book.grow(by: 100)
    try await fleet.ship(book)
    let end = try await fleet.forget(book, before: 400)
    for backup in [early, late] {
      await expect(.fleetAhead) { () throws(GatebookError) in try await fleet.ship(backup) }
    }
    #expect(try branches(fleet) == ["(0,0,\(end + 1))"])
    // It leaves the book after what was forgotten: the rest is common.
    try await late.grow(by: 7)
    let fork = try await fleet.ship(late)
    #expect(fork.forkedAfter?.rawValue == 609)
    #expect(fork.events == 7)
    // It leaves the book among the forgotten events: nobody knows where.
    try await early.grow(by: 700)
    let foreign = try await fleet.ship(early)
    #expect(foreign.forkedAfter == .start)
    #expect(foreign.events == 809)
    try await fleet.expectVerified(forgotten: [end, 0, 0])
    for one in [book, late, early] {
      try await one.grow(by: 5)
      #expect(try await fleet.ship(one).events == 5)
    }
    try await fleet.expectVerified()
    #expect(try branches(fleet).count == 3)
  }

  @Test func `a shipper that was overtaken sends forgotten events, and is not refused`()
    async throws
  {
    let fleet = try await TestFleet()
    try fleet.beginByHand()
    let events = (1...6).map { StagedEvent(Int64($0)) }
    #expect(try fleet.accept(Array(events[..<4]), upTo: 4) == "(taken,0)")
    try fleet.run(
      """
      SELECT gatebook.forget('\(StagedEvent.book)', 0, 3, 0, ARRAY['opening'], ARRAY[''::bytea],
        ARRAY['{}'::bytea], '')
      """)
    #expect(try fleet.accept(Array(events[..<4]), upTo: 4) == "(taken,4)")
    #expect(try fleet.accept(Array(events[1..<6]), upTo: 6) == "(taken,4)")
    #expect(try fleet.events() == [4, 5, 6])
    #expect(try fleet.rows("SELECT code FROM gatebook.notice") == ["(fleet.forgotten)"])
    // Another event at a position that is there is found as before.
    #expect(
      try fleet.accept([StagedEvent(4, data: "{\"other\":1}"), events[4]], upTo: 6)
        == "(differs,4)")
    // A new history cannot begin within what is gone.
    let begin = "SELECT gatebook.begin_branch('\(StagedEvent.book)', 0, 2, 3, NULL, NULL, 1)"
    #expect(try fleet.connect(.shipper).run(begin).first?.integer(0) == -1)
  }

  @Test func `shipping and forgetting at once loses and doubles nothing`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 2000)
    try await fleet.ship(book)
    let forgetting = Task { () async throws in
      for position in stride(from: Int64(200), through: 2000, by: 200) {
        _ = try await fleet.forget(before: book.moment(of: position))
      }
    }
    for _ in 0..<10 {
      try await book.grow(by: 60)
      try await fleet.ship(book)
    }
    try await forgetting.value
    try await fleet.ship(book)
    let size = try book.reader().head().size
    let first = try fleet.value("SELECT first FROM gatebook.branch").flatMap { Int64($0) } ?? 0
    #expect(first > 1700)
    #expect(try fleet.events() == Array(first...size))
    try await fleet.expectVerified(forgotten: [first - 1])
  }
}
