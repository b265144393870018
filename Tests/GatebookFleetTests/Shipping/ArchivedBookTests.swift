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

  @Test func `events of an archive that is gone are named, with the command that ships them`()
    async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    try await fleet.ship(book)
    try await book.grow(by: 50)
    let archive = try await book.archive("past of 'ada'.book")
    let place = try book.putAway(archive)
    try await book.grow(by: 5)
    let error = await expect(.fleetGap) { () throws(GatebookError) in try await fleet.ship(book) }
    #expect(error?.message.contains("the events from 310 to 359 first") == true)
    let ending = try GatebookProcess.run(
      [
        "ship", "--book", book.path, "--key", "file:\(book.keyPath)", "--to", fleet.url(),
      ])
    #expect(ending.exit == 5)
    #expect(ending.errors.contains("the events from 310 to 359 first"), "\(ending.errors)")
    let keyless = try GatebookProcess.run(
      ["ship", "--book", book.path, "--key", "none", "--to", fleet.url()])
    #expect(keyless.exit == 5)
    #expect(keyless.errors.contains("Give the book's key"), "\(keyless.errors)")
    let command = try #require(
      ending.errors.split(separator: "`").first { $0.hasPrefix("gatebook ship --book ") })
    #expect(try fleet.rows("SELECT size FROM gatebook.branch") == ["(309)"])
    // As a person pastes it, once the archive is back.
    try #require(Files.rename(place, to: archive.path))
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
    let place = try book.putAway(second)
    try await book.append(.note("after"))
    await expect(.fleetGap) { () throws(GatebookError) in
      _ = try await BookShipment(of: first.path, key: nil, to: try fleet.access()).ship()
      try await fleet.ship(book)
    }
    _ = try await ship(place, fleet)
    try await fleet.ship(book)
    try expectWhole(book, fleet)
    #expect(
      try fleet.rows("SELECT floor, first FROM gatebook.branch") == ["(\(second.end),1)"])
  }

  @Test func `a book whose archive is gone begins at its floor`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    let place = try book.putAway(try await book.archive())
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
      _ = try await BookShipment(of: place, key: nil, to: try fleet.access()).ship()
    }
    #expect(try fleet.value("SELECT count(*) FROM gatebook.branch") == "1")
  }

  @Test func `without personal facts, the past has none either`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    try book.putAway(try await book.archive())
    try await fleet.ship(book, options: ShipmentOptions(sendsPersonal: false))
    try fleet.expectHas(book)
    #expect(try book.reader().pastRows(hasPersonal: true).contains { $0.part == "opening_event" })
    #expect(
      try fleet.value("SELECT count(*) FROM gatebook.past WHERE part = 'opening_event'") == "0")
  }

  @Test(arguments: [true, false])
  func `a book that is archived while it is shipped loses nothing`(
    _ isAtHand: Bool
  ) async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 9000)
    let halt = try Halt(fleet, when: "INSERT", into: "event")
    async let shipped = Result { () async throws(GatebookError) in try await fleet.ship(book) }
    try await halt.wait()
    // The shipper has sent two batches, and the events of the third one are archived now.
    let archive = try await book.archive()
    let place = isAtHand ? archive.path : try book.putAway(archive)
    try await halt.end()
    let result = await shipped
    guard !isAtHand else {
      #expect(try result.get().size == 9010)
      return try expectWhole(book, fleet)
    }
    let error = await expect(.fleetGap) { () throws(GatebookError) in _ = try result.get() }
    #expect(error?.message.contains("the events from 8193 to 9009 first") == true)
    #expect(try fleet.rows("SELECT code FROM gatebook.notice").isEmpty)
    _ = try await ship(place, fleet)
    try await fleet.ship(book)
    try expectWhole(book, fleet)
  }

  // MARK: Archives at hand

  @Test(arguments: [true, false])
  func `archives that are at hand are shipped first`(_ isKnown: Bool) async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 100)
    if isKnown { try await fleet.ship(book) }
    try await book.grow(by: 100)
    let first = try await book.archive("first.book")
    try await book.grow(by: 100)
    let second = try await book.archive("second.book")
    try await book.grow(by: 5)
    let paths = Locked<[String]>([])
    let report = try await BookShipment(of: book.path, key: book.key, to: try fleet.access()).ship {
      news in
      if case .archive(let path, _) = news { paths.withLock { $0.append(path) } }
    }
    #expect(paths.withLock { $0 } == [first.path, second.path])
    #expect(report.size == 316)
    #expect(report.events == (isKnown ? 207 : 316))
    #expect(report.isSigned)
    try expectWhole(book, fleet)
    let verdict = try await fleet.verify()
    #expect(verdict.ok, "\(verdict)")
    #expect(verdict.histories.map(\.covered) == [Position(rawValue: 316)])
    // The archive's head is signed with the book's key too.
    #expect(
      try fleet.value(
        "SELECT count(*) FROM gatebook.checkpoint WHERE size = \(first.end) AND checkpoint IS NULL")
        == "0")
    #expect(try fleet.rows("SELECT code FROM gatebook.notice").isEmpty)
  }

  @Test func `a history begins with the first archive from which on all are at hand`() async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 100)
    let first = try await book.archive("first.book")
    try await book.grow(by: 100)
    _ = try await book.archive("second.book")
    try await book.grow(by: 5)
    try book.putAway(first)
    try await fleet.ship(book)
    #expect(
      try fleet.rows("SELECT first, floor, size FROM gatebook.branch") == ["(110,210,216)"])
    #expect(try await fleet.verify().ok)
  }

  @Test(arguments: [true, false])
  func `a history that was begun and has no events yet needs the archive`(
    _ isAtHand: Bool
  ) async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 100)
    try fleet.connect(.shipper).run(
      "SELECT gatebook.begin_branch('\(book.reader().id)', NULL, 0, 1, NULL, NULL, 0)")
    let archive = try await book.archive()
    guard isAtHand else {
      let place = try book.putAway(archive)
      let error = await expect(.fleetGap) { () throws(GatebookError) in try await fleet.ship(book) }
      #expect(error?.message.contains("the events from 1 to 109 first") == true)
      _ = try await ship(place, fleet)
      try await fleet.ship(book)
      return try expectWhole(book, fleet)
    }
    try await fleet.ship(book)
    try expectWhole(book, fleet)
  }

  @Test func `another file at the archive's place is not shipped`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    try await fleet.ship(book)
    try await book.grow(by: 50)
    let archive = try await book.archive()
    try book.putAway(archive)
    let other = try await TestBook.written(events: 5)
    for path in [other.path, other.keyPath] {
      let file = try #require(OpenFile.open(archive.path, .new))
      #expect(file.write(try #require(Files.content(of: path))))
      await expect(.fleetGap) { () throws(GatebookError) in try await fleet.ship(book) }
      Files.remove(archive.path)
    }
    #expect(try fleet.value("SELECT count(DISTINCT book) FROM gatebook.branch") == "1")
  }

  @Test func `the command says that it ships the archive`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    let archive = try await book.archive()
    let ending = try GatebookProcess.run(
      [
        "ship", "--book", book.path, "--key", "file:\(book.keyPath)", "--to", fleet.url(), "--json",
      ])
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "The fleet needs the events from 1 on first: shipping the archive \(archive.path)."),
      "\(ending.errors)")
    #expect(ending.output.contains("\"events\":310,\"size\":310,"), "\(ending.output)")
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
