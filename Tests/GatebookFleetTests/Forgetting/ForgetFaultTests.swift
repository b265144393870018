import Gatebook
import Testing

@testable import GatebookFleet

/// Changed rows, killed processes and servers.
@Suite struct ForgetFaultTests {
  fileprivate static func shipped(
    on server: FleetServer? = nil
  ) async throws -> (fleet: TestFleet, book: TestBook, moment: Timestamp) {
    let fleet = try await TestFleet(on: server)
    let book = try await TestBook.written(events: 400)
    try await fleet.ship(book)
    return (fleet, book, try book.moment(of: 300))
  }

  /// Fleets whose rows are put back after each change: before and after events were forgotten.
  private static let changed = Task { () async throws -> ChangedFleet in
    let (fleet, book, _) = try await shipped()
    return try ChangedFleet(fleet, book)
  }
  private static let forgotten = Task { () async throws -> ChangedFleet in
    let (fleet, book, moment) = try await shipped()
    try await fleet.forget(before: moment)
    try await fleet.expectVerified()
    return try ChangedFleet(fleet, book)
  }

  @Test(
    .serialized,
    arguments: [
      "UPDATE gatebook.event SET at = at + 1 WHERE position = 77",
      "UPDATE gatebook.event SET leaf = sha256('') WHERE position = 77",
      "DELETE FROM gatebook.event WHERE position = 77",
      "UPDATE gatebook.tally SET events = events + 1",
      "UPDATE gatebook.program SET described = '\\x00'",
    ])
  func `events that do not agree are kept, and that is a finding`(_ change: String) async throws {
    let whole = try await Self.changed.value
    let moment = try whole.book.moment(of: 300)
    try await whole.changed(by: change) { fleet in
      let there = try fleet.events()
      let report = try await fleet.forget(before: moment)
      #expect(!report.ok)
      #expect(report.forgotten.isEmpty)
      #expect(report.kept.count == 1)
      #expect(try fleet.events() == there)
      #expect(try fleet.rows("SELECT forgotten FROM gatebook.branch") == ["(0)"])
      #expect(try fleet.rows("SELECT code FROM gatebook.notice") == ["(fleet.mismatch)"])
      let findings = try Asked(fleet: fleet).lines(["findings"])
      #expect(findings.contains { $0.contains("\"history.damaged\",\"severity\":\"alarm\"") })
    }
  }

  @Test func `a run that was rewritten with its hashes is kept`() async throws {
    let (fleet, _, moment) = try await Self.shipped()
    try fleet.rewrite(77)
    let report = try await fleet.forget(before: moment)
    #expect(!report.ok)
    #expect(report.forgotten.isEmpty)
    #expect(try fleet.events().count == 409)
  }

  @Test func `what is wrong only later keeps nothing`() async throws {
    let (fleet, book, moment) = try await Self.shipped()
    try fleet.run("UPDATE gatebook.event SET at = at + 1 WHERE position = 350")
    let report = try await fleet.forget(before: moment)
    #expect(report.ok)
    let end = try book.end(before: moment)
    #expect(report.forgotten.map(\.last.rawValue) == [end])
    let verdict = try await fleet.verify()
    #expect(verdict.histories.map(\.firstBad) == [Position(rawValue: 350)])
  }

  @Test(
    .serialized,
    arguments: [
      "UPDATE gatebook.past SET content = replace(content::text, 'a', 'b')::bytea "
        + "WHERE part = 'start.account'",
      "UPDATE gatebook.past SET content = '3' WHERE part = 'start.counted.day'",
      "DELETE FROM gatebook.past WHERE part = 'start.counted.day'",
      "DELETE FROM gatebook.past WHERE part = 'start.session'",
      "DELETE FROM gatebook.past WHERE part = 'start.opening'",
      "DELETE FROM gatebook.past WHERE part = 'start.subtree'",
      "DELETE FROM gatebook.past",
      "UPDATE gatebook.branch SET forgotten = 0", "UPDATE gatebook.branch SET first = 1",
      "UPDATE gatebook.branch SET forgotten = forgotten - 1, first = first - 1",
      "DELETE FROM gatebook.event WHERE position = (SELECT min(position) FROM gatebook.event)",
      "UPDATE gatebook.tally SET events = events + 1",
    ])
  func `what is kept of forgotten events is verified`(_ change: String) async throws {
    let verdict = try await Self.forgotten.value.changed(by: change) { try await $0.verify() }
    #expect(!verdict.ok)
  }

  @Test(arguments: ["DELETE event", "DELETE past", "INSERT past", "UPDATE branch", "INSERT notice"])
  func `a command that is killed in the middle of a step has dropped nothing`(
    _ step: String
  ) async throws {
    let (fleet, book, moment) = try await Self.shipped()
    let there = try fleet.events()
    let words = step.split(separator: " ").map(String.init)
    let halt = try Halt(fleet, when: words[0], into: words[1])
    let line = Self.line(fleet, moment)
    let process = try GatebookProcess(line)
    try await halt.wait()
    process.kill()
    try await halt.end(awaitingEndOf: .owner)
    #expect(try fleet.events() == there)
    #expect(try fleet.rows("SELECT * FROM gatebook.past").isEmpty)
    try await fleet.expectVerified(forgotten: [0])
    let ending = try GatebookProcess.run(line)
    #expect(ending.exit == 0, "\(ending.errors)")
    let end = try book.end(before: moment)
    #expect(try fleet.events() == Array(end + 1...409))
    try await fleet.expectVerified(forgotten: [end])
  }

  @Test func `of two commands at once one drops the events`() async throws {
    let (fleet, book, moment) = try await Self.shipped()
    let halt = try Halt(fleet, when: "DELETE", into: "event")
    let line = Self.line(fleet, moment) + ["--json"]
    let processes = [try GatebookProcess(line), try GatebookProcess(line)]
    try await halt.wait(for: 2)
    try await halt.end()
    let endings = processes.map { $0.end() }
    #expect(endings.map(\.exit) == [0, 0], "\(endings.map(\.errors))")
    #expect(endings.count { $0.output.contains("\"forgotten\":") } == 1)
    #expect(endings.count { $0.output.isEmpty } == 1)
    try await fleet.expectVerified(forgotten: [try book.end(before: moment)])
  }

  @Test func `a command that is interrupted drops nothing more`() async throws {
    let (fleet, _, moment) = try await Self.shipped()
    let halt = try Halt(fleet, when: "DELETE", into: "event")
    let process = try GatebookProcess(Self.line(fleet, moment))
    try await halt.wait()
    process.interrupt()
    let ending = process.end()
    try await halt.end(awaitingEndOf: .owner)
    #expect(ending.exit == 130, "\(ending.errors)")
    #expect(ending.errors.contains("The fleet keeps all of its events."), "\(ending.errors)")
    try await fleet.expectVerified(forgotten: [0])
  }

  fileprivate static func line(_ fleet: TestFleet, _ moment: Timestamp) -> [String] {
    ["fleet", "forget", "--before", moment.description, "--yes", "--fleet", fleet.url(.owner)]
  }
}

extension StoppedServerTests {
  @Test func `a server that crashes in the middle has dropped nothing`() async throws {
    let server = try await Self.running()
    let (fleet, book, moment) = try await ForgetFaultTests.shipped(on: server)
    let there = try fleet.events()
    // A server for tests does not wait for its disk: what was shipped must not be lost.
    try server.run("CHECKPOINT")
    let line = ForgetFaultTests.line(fleet, moment)
    do {
      let halt = try Halt(fleet, when: "DELETE", into: "event")
      let process = try GatebookProcess(line)
      try await halt.wait()
      try server.crash()
      withExtendedLifetime(halt) {}
      let ending = process.end()
      #expect(ending.exit == 4, "\(ending.errors)")
      #expect(ending.errors.contains("The fleet keeps all of its events."), "\(ending.errors)")
    }
    #expect(try fleet.events() == there)
    try await fleet.expectVerified(forgotten: [0])
    #expect(try GatebookProcess.run(line).exit == 0)
    try await fleet.expectVerified(forgotten: [try book.end(before: moment)])
  }
}
