import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

struct ArchivedBookTests {
  private func ship(_ path: String, _ fleet: TestFleet) async throws -> ShipReport {
    try await BookShipment(of: path, key: nil, to: try fleet.access()).ship()
  }

  /// Expects all events from the first one on, once each.
  private func expectWhole(_ book: TestBook, _ fleet: TestFleet) throws {
    let size = try book.reader().head().size
    #expect(
      try fleet.rows(
        "SELECT count(*), count(DISTINCT position), min(position), max(position) "
          + "FROM gatebook.event") == ["(\(size),\(size),1,\(size))"])
    try fleet.expectHas(book)
  }

  @Test func `events that only an archive has are named, with the command that ships them`()
    async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    try await fleet.ship(book)
    try await book.grow(by: 50)
    _ = try await book.archive("past of 'ada'.book")
    try await book.grow(by: 5)
    let error = await expect(.fleetGap) { () throws(GatebookError) in try await fleet.ship(book) }
    #expect(error?.message.contains("the events from 310 to 359 first") == true)
    let ending = try GatebookProcess.run(
      [
        "ship", "--book", book.path, "--key", "file:\(book.keyPath)", "--to", fleet.url(),
      ])
    #expect(ending.exit == 1)
    #expect(ending.errors.contains("the events from 310 to 359 first"), "\(ending.errors)")
    let command = try #require(
      ending.errors.split(separator: "`").first { $0.hasPrefix("gatebook ship --book ") })
    #expect(try fleet.rows("SELECT size FROM gatebook.branch") == ["(309)"])
    // As a person pastes it.
    let pasted = try GatebookProcess.run(
      [], under: "program=$1; gatebook() { \"$program\" \"$@\"; }; \(command)")
    #expect(pasted.exit == 0, "\(command): \(pasted.errors)")
    try await fleet.ship(book)
    try expectWhole(book, fleet)
    #expect(try fleet.rows("SELECT floor, first FROM gatebook.branch") == ["(359,1)"])
    #expect(try fleet.value("SELECT count(*) > 0 FROM gatebook.past") == "true")
    #expect(try fleet.rows("SELECT code FROM gatebook.notice").isEmpty)
  }

  @Test func `an archive that was shipped before is no failure`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    let archive = try await book.archive()
    #expect(try await ship(archive.path, fleet).events == 309)
    #expect(try await ship(archive.path, fleet).events == 0)
    try await fleet.ship(book)
    let again = try await ship(archive.path, fleet)
    #expect(again.events == 0)
    #expect(again.size == 310)
    try expectWhole(book, fleet)
  }

  @Test func `two archives and the book arrive as one history`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    let first = try await book.archive("first.book")
    try await book.grow(by: 400)
    try await book.append(.erasing(TestBook.ada))
    let second = try await book.archive("second.book")
    try await book.append(.note("after"))
    await expect(.fleetGap) { () throws(GatebookError) in
      _ = try await BookShipment(of: first.path, key: nil, to: try fleet.access()).ship()
      try await fleet.ship(book)
    }
    _ = try await ship(second.path, fleet)
    try await fleet.ship(book)
    try expectWhole(book, fleet)
    #expect(
      try fleet.rows("SELECT floor, first FROM gatebook.branch") == ["(\(second.end),1)"])
  }

  @Test func `a book whose archive is gone begins at its floor`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    let archive = try await book.archive()
    try await book.grow(by: 5)
    #expect(try await fleet.ship(book).events == 6)
    #expect(
      try fleet.rows("SELECT floor, first, size FROM gatebook.branch") == ["(309,310,315)"])
    try fleet.expectHas(book)
    let own = try book.reader().pastRows(hasPersonal: true).map {
      "\($0.part) \(Hex.encode($0.name)) \(Hex.encode($0.content))"
    }
    let past = try fleet.connect().run(
      "SELECT part || ' ' || encode(name, 'hex') || ' ' || encode(content, 'hex') "
        + "FROM gatebook.past"
    ).map { $0.text(0) }
    #expect(past.sorted() == own.sorted())
    #expect(past.contains { $0.hasPrefix("opening ") })
    try await book.grow(by: 5)
    try await fleet.ship(book)
    try fleet.expectHas(book)
    // Its archive comes too late: that is no fork.
    await expect(.fleetAhead) { () throws(GatebookError) in
      _ = try await BookShipment(of: archive.path, key: nil, to: try fleet.access()).ship()
    }
    #expect(try fleet.value("SELECT count(*) FROM gatebook.branch") == "1")
  }

  @Test func `without personal facts, the past has none either`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    _ = try await book.archive()
    try await fleet.ship(book, options: ShipmentOptions(sendsPersonal: false))
    try fleet.expectHas(book)
    #expect(try book.reader().pastRows(hasPersonal: true).contains { $0.part == "opening_event" })
    #expect(
      try fleet.value("SELECT count(*) FROM gatebook.past WHERE part = 'opening_event'") == "0")
  }

  @Test func `a book that is archived while it is shipped loses nothing`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 9000)
    let halt = try Halt(fleet, when: "INSERT", into: "event")
    async let shipped = Result { () async throws(GatebookError) in try await fleet.ship(book) }
    try halt.wait()
    // The shipper has sent two batches, and the events of the third one are archived now.
    let archive = try await book.archive()
    try halt.end()
    let result = await shipped
    let error = await expect(.fleetGap) { () throws(GatebookError) in _ = try result.get() }
    #expect(error?.message.contains("the events from 8193 to 9009 first") == true)
    #expect(try fleet.rows("SELECT code FROM gatebook.notice").isEmpty)
    _ = try await ship(archive.path, fleet)
    try await fleet.ship(book)
    try expectWhole(book, fleet)
  }
}

extension Result {
  /// What a call returns or throws.
  fileprivate init(_ body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
