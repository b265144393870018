import Gatebook
import GatebookSystem
import Glibc
import Testing

@testable import GatebookFleet

struct KilledShipperTests {
  /// Where a shipper is killed: what it does then, and in which table.
  enum Step: String, CaseIterable {
    case begin = "INSERT branch"
    case past = "INSERT past"
    case staging = "INSERT staging"
    case program = "INSERT program"
    case event = "INSERT event"
    case prepared = "INSERT prepared"
    case counted = "DELETE prepared"
    case tally = "INSERT tally"
    case size = "UPDATE branch"
    case checkpoint = "INSERT checkpoint"
    case state = "INSERT state"
  }

  private func line(_ book: TestBook, _ fleet: TestFleet) -> [String] {
    ["ship", "--book", book.path, "--key", "file:\(book.keyPath)", "--to", fleet.url()]
  }

  /// Expects no gap and no double, whatever is there.
  private func expectSound(_ fleet: TestFleet) throws {
    let broken = """
      SELECT b.branch, b.size, e.* FROM gatebook.branch b LEFT JOIN LATERAL (
        SELECT count(*), count(DISTINCT position) AS positions, max(position) AS last
        FROM gatebook.event WHERE book = b.book AND branch = b.branch) e ON true
      WHERE e.count <> b.size - b.first + 1 OR e.positions <> e.count
        OR coalesce(e.last, b.first - 1) <> b.size
        OR e.count <> (SELECT coalesce(sum(events), 0) FROM gatebook.tally t
          WHERE t.book = b.book AND t.branch = b.branch)
      """
    #expect(try fleet.rows(broken).isEmpty)
    #expect(try fleet.value("SELECT count(*) FROM gatebook.staging") == "0")
    #expect(try fleet.value("SELECT count(*) FROM gatebook.prepared") == "0")
  }

  @Test(arguments: Step.allCases)
  func `a shipper that is killed in the middle of a step leaves nothing half done`(
    _ step: Step
  ) async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 500)
    if step == .past {
      _ = try await book.archive()
      try await book.grow(by: 100)
    }
    let words = step.rawValue.split(separator: " ").map(String.init)
    let halt = try Halt(fleet, when: words[0], into: words[1])
    let process = try GatebookProcess(line(book, fleet))
    try await halt.wait()
    process.kill()
    try await halt.end(awaitingEndOf: .shipper)
    try expectSound(fleet)
    let ending = try GatebookProcess.run(line(book, fleet))
    #expect(ending.exit == 0, "\(ending.errors)")
    try expectSound(fleet)
    try fleet.expectHas(book)
    #expect(
      try fleet.value("SELECT folded FROM gatebook.branch")
        == fleet.value("SELECT size FROM gatebook.branch"))
    #expect(try fleet.value("SELECT count(*) > 0 FROM gatebook.past") == "\(step == .past)")
    #expect(try fleet.rows("SELECT code, detail FROM gatebook.notice").isEmpty)
  }

  @Test func `a shipper that is killed twenty times at any moment loses and doubles nothing`()
    async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 100)
    var kills = 0
    for pause in 1...20 {
      try await book.grow(by: 300)
      let process = try GatebookProcess(line(book, fleet))
      // As long as it takes, at most: each round kills a little later.
      _ = poll(nil, 0, Int32(pause * 12))
      if process.isRunning { kills += 1 }
      process.kill()
      let query = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = 'lap1'
        """
      try await wait(for: "end of the connection") { try fleet.value(query) == "0" }
      try expectSound(fleet)
    }
    #expect(kills > 0)
    #expect(try GatebookProcess.run(line(book, fleet)).exit == 0)
    try expectSound(fleet)
    try fleet.expectHas(book)
    #expect(try fleet.rows("SELECT code, detail FROM gatebook.notice").isEmpty)
  }
}
