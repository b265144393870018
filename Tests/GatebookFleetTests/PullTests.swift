import Gatebook
import GatebookStore
import GatebookSystem
import Testing

@testable import GatebookFleet

@Suite struct PullTests {
  @Test func `a pulled book answers as the book does`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written(events: 700)
    try await stage.fleet.ship(book)
    let report = try await stage.pull("laptop")
    let head = try book.reader().head()
    #expect(report.events == head.size)
    #expect(report.root == head.root)
    #expect(report.first == Position(rawValue: 1))
    #expect(report.isSigned)
    try stage.expectAnswers(asOf: book.path, [["show", "12", "--json"], ["why", "12", "--json"]])
    #expect(Files.names(in: stage.folder.path) == ["pulled"])
  }

  @Test func `a book without a signed checkpoint is pulled by the beginning of its identity`()
    async throws
  {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try await stage.fleet.ship(book, isSigned: false)
    let id = try book.reader().id
    let report = try await stage.pull(String(id.description.prefix(4)).uppercased())
    #expect(report.book.id == id)
    #expect(!report.isSigned)
    #expect(report.root == (try book.reader().head().root))
  }

  @Test func `facts of erased accounts are forgotten, and others are encrypted`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try await book.append(.erasing(TestBook.bob))
    try await stage.fleet.ship(book)
    try await stage.pull()
    try stage.expectAnswers(asOf: book.path)
    let events = try BookReader.open(at: stage.path).events(EventFilter())
    let facts = events.filter { $0.personal != nil }
    #expect(facts.contains { $0.account == TestBook.bob })
    for event in facts {
      switch event.personal {
      case .forgotten: #expect(event.account == TestBook.bob)
      case .sealed: #expect(event.account == TestBook.ada)
      default: Issue.record("\(event.position)")
      }
    }
  }

  @Test func `a book whose archive is not in the fleet is pulled as it begins`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written(events: 600)
    let archive = try await book.archive()
    let place = try book.putAway(archive)
    try await book.grow(by: 300)
    try await book.append(.erasing(TestBook.bob))
    try await stage.fleet.ship(book)
    let report = try await stage.pull()
    #expect(report.first == archive.position)
    #expect(report.events == 302)
    try stage.expectAnswers(asOf: book.path, [["verify", "--archive", place, "--json"]])
  }

  @Test func `a book whose archives are in the fleet is pulled whole`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written(events: 300)
    try await stage.fleet.ship(book)
    _ = try await book.archive()
    try await book.grow(by: 300)
    try await stage.fleet.ship(book)
    let report = try await stage.pull()
    #expect(report.first == Position(rawValue: 1))
    #expect(report.root == (try book.reader().head().root))
    #expect(try await BookVerifier(path: stage.path).verify().ok)
    #expect(
      try BookReader.open(at: stage.path).accounts() == book.reader(hasKey: false).accounts())
  }

  @Test func `a second archive moves the beginning`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written(events: 300)
    try book.putAway(try await book.archive("first.book"))
    try await book.grow(by: 20)
    try await stage.fleet.ship(book)
    let second = try await book.archive("second.book")
    try await book.grow(by: 20)
    try await stage.fleet.ship(book)
    let report = try await stage.pull()
    #expect(report.first == second.position)
    try stage.expectAnswers(asOf: book.path)
  }

  @Test(arguments: [("400 AND 420", ""), ("400 AND 420", "DELETE FROM subtree; DELETE FROM head;")])
  func `a recovered book is pulled with its losses`(_ lost: String, _ more: String) async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written(events: 700)
    try book.tamper(
      "DROP TRIGGER event_is_never_deleted; \(more) DELETE FROM event WHERE position BETWEEN \(lost)"
    )
    let path = stage.folder.file("recovered")
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program).recover(
      to: path)
    #expect(recovery.lost.count == 1)
    try await BookShipment(of: path, key: book.key, to: try stage.fleet.access()).ship()
    let report = try await stage.pull()
    #expect(report.events == recovery.kept + 1)
    try stage.expectAnswers(asOf: path)
  }

  @Test func `each history of a copied book can be pulled`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try await stage.fleet.ship(book)
    let copy = try book.copied()
    try await book.grow(by: 30)
    try await copy.grow(by: 40)
    try await stage.fleet.ship(book)
    try await stage.fleet.ship(copy)
    let error = await expect(.configurationInvalid) { () throws(GatebookError) in
      try await stage.pull("laptop")
    }
    #expect(error?.remedy.contains("(branch 1, laptop)") == true)
    stage.expectNothingLeft()
    for (branch, own) in [(0, book), (1, copy)] {
      let report = try await stage.pull("laptop", branch: branch)
      #expect(report.book.branch == branch)
      try stage.expectAnswers(asOf: own.path)
      Files.remove(stage.path)
    }
  }

  @Test func `a history that left one after a floor has its events`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try book.putAway(try await book.archive())
    try await book.grow(by: 20)
    try await stage.fleet.ship(book)
    let copy = try book.copied()
    try await book.grow(by: 30)
    try await copy.grow(by: 40)
    try await stage.fleet.ship(book)
    try await stage.fleet.ship(copy)
    try await stage.pull(branch: 1)
    try stage.expectAnswers(asOf: copy.path)
  }
}
