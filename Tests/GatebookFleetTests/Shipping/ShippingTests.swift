import Gatebook
import GatebookSystem
import GatebookTestSupport
import Testing

@testable import GatebookFleet

struct ShippingTests {
  @Test func `a book arrives with its events, its root, its counters and its states`() async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    let report = try await fleet.ship(book)
    #expect(report.events == 309)
    #expect(report.size == 309)
    #expect(report.branch == 0)
    #expect(report.forkedAfter == nil)
    try fleet.expectHas(book)
    #expect(
      try fleet.rows(
        "SELECT branch, parent, base, first, floor, owner, machine, withheld FROM gatebook.branch")
        == ["(0,,0,1,0,lap1,laptop,0)"])
    try expectStates(book, fleet)
  }

  /// Expects that the rows of the present are the book's.
  private func expectStates(_ book: TestBook, _ fleet: TestFleet) throws {
    let present = try book.reader().presentRows()
    let own = present.rows.map {
      "\($0.part) \(Hex.encode($0.name)) \(String(decoding: $0.content, as: UTF8.self))"
    }
    let stored = try fleet.connect().run(
      "SELECT part || ' ' || encode(name, 'hex') || ' ' || state FROM gatebook.state"
    ).map { $0.text(0) }
    #expect(stored.sorted() == own.sorted())
    #expect(!own.isEmpty)
    #expect(
      try fleet.rows("SELECT folded, folds FROM gatebook.branch") == [
        "(\(try book.reader().head().size),\(present.folds))"
      ])
  }

  @Test func `shipping again doubles nothing`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    try await fleet.ship(book)
    let heads = try fleet.rows("SELECT size, root FROM gatebook.checkpoint")
    let report = try await fleet.ship(book)
    #expect(report.events == 0)
    #expect(report.size == 309)
    try fleet.expectHas(book)
    #expect(try fleet.rows("SELECT size, root FROM gatebook.checkpoint") == heads)
    #expect(try fleet.rows("SELECT code FROM gatebook.notice").isEmpty)
  }

  @Test func `what came since is shipped, and nothing else`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    try await fleet.ship(book)
    try await book.grow(by: 21)
    try await book.append(.erasing(TestBook.bob))
    #expect(try await fleet.ship(book).events == 22)
    try fleet.expectHas(book)
    try expectStates(book, fleet)
    #expect(
      try fleet.rows("SELECT size FROM gatebook.checkpoint ORDER BY size") == ["(309)", "(331)"])
  }

  @Test func `a long book arrives in several batches`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 9000)
    let heard = Locked<[Int64]>([])
    let shipment = BookShipment(of: book.path, key: book.key, to: try fleet.access())
    try await shipment.ship { news in
      if case .progress(let shipped, let all) = news {
        heard.withLock { $0.append(shipped) }
        #expect(all == 9009)
      }
    }
    #expect(heard.withLock { $0 } == [4096, 8192, 9009])
    try fleet.expectHas(book)
  }

  @Test func `with the book's key its head has a checkpoint that the book agrees with`()
    async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    #expect(try await fleet.ship(book).isSigned)
    let checkpoint = try #require(try fleet.value("SELECT checkpoint FROM gatebook.branch"))
    let verdict = try await BookVerifier(path: book.path).verify(against: checkpoint)
    #expect(verdict.ok, "\(verdict.problems)")
    #expect(try fleet.value("SELECT checkpoint FROM gatebook.checkpoint") == checkpoint)
  }

  @Test func `without the key the head is unsigned, until somebody ships with it`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    #expect(try await !fleet.ship(book, isSigned: false).isSigned)
    try fleet.expectHas(book)
    #expect(try fleet.value("SELECT checkpoint FROM gatebook.branch") == nil)
    #expect(try await fleet.ship(book).isSigned)
    let checkpoint = try #require(try fleet.value("SELECT checkpoint FROM gatebook.branch"))
    #expect(try await BookVerifier(path: book.path).verify(against: checkpoint).ok)
    #expect(try fleet.value("SELECT checkpoint FROM gatebook.checkpoint") == checkpoint)
    // Without the key again: the fleet keeps what it has.
    try await fleet.ship(book, isSigned: false)
    #expect(try fleet.value("SELECT checkpoint FROM gatebook.branch") == checkpoint)
  }

  @Test func `nothing is written to the book`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    let before = try book.bytes()
    try await fleet.ship(book)
    try await fleet.ship(book, isSigned: false)
    #expect(try book.bytes() == before)
    #expect(Files.content(of: book.path + "-wal") ?? [] == [])
  }

  @Test func `a book whose file and folder are read-only is shipped`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written()
    for ending in ["-wal", "-shm", "-lock"] { Files.remove(book.path + ending) }
    let ending = try GatebookProcess.run(
      ["ship", "--book", book.path, "--key", "file:\(book.keyPath)", "--to", fleet.url()],
      under: """
        mount --bind \(book.folder.path) \(book.folder.path) \
        && mount -o remount,bind,ro \(book.folder.path) && exec "$@"
        """)
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.hasPrefix("309 events shipped"))
    #expect(Files.names(in: book.folder.path).sorted() == ["test.book", "test.key"])
    try fleet.expectHas(book)
  }

  @Test func `an app ships its own book`() async throws {
    let fleet = try await TestFleet()
    let written = try await TestBook.written()
    let book = try await SessionBook.open(
      at: written.path, key: written.key, program: TestBook.program,
      transport: ScriptedTransport([]), renewalPolicy: .beforeUse, network: nil)
    let report = try await book.ship(
      to: try fleet.access(), options: ShipmentOptions(machine: "kiosk"))
    #expect(report.isSigned)
    await book.close()
    try fleet.expectHas(written)
    #expect(try fleet.value("SELECT machine FROM gatebook.branch") == "kiosk")
  }
}
