internal import Foundation
internal import Testing

/// Both verifiers on books that have not all of their past.
struct PastVerifierTests {
  private let gatebook: GatebookTool
  private let archive: String
  private let key: [String]

  init() throws {
    gatebook = try GatebookTool()
    try gatebook.makeBook(events: 5_000)
    archive = gatebook.home + "/past.gatebook"
    key = ["--key", "file:\(gatebook.book).key"]
  }

  private func python(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess.run(
      TestServers.sources + "/tools/verify-book", arguments + ["--json"],
      environment: ProcessInfo.processInfo.environment)
  }

  /// What both say; they must agree.
  @discardableResult
  private func verdict(_ arguments: [String], of book: String, status: Int32) throws -> JSONObject {
    let first = try gatebook.run(
      ["verify", "--key", "none", "--json", "--book", book] + arguments)
    let second = try python([book] + arguments)
    try #require(first.status == status, "\(first.output)\(first.errors)")
    try #require(second.status == status, "\(second.output)\(second.errors)")
    let verdicts = try (JSONObject(first.output), JSONObject(second.output))
    #expect(verdicts.0["ok"]?.bool == verdicts.1["ok"]?.bool)
    #expect(verdicts.0["size"]?.integer == verdicts.1["size"]?.integer)
    if status == 0 { #expect(verdicts.0["level"]?.text == verdicts.1["level"]?.text) }
    if status == 0 { #expect(verdicts.0["root"]?.text == verdicts.1["root"]?.text) }
    if status == 0 {
      #expect(verdicts.0["archived"]?.integer == verdicts.1["archived"]?.integer)
      #expect(verdicts.0["recovered"]?.bool == verdicts.1["recovered"]?.bool)
      #expect(verdicts.0["lost"]?.pairs == verdicts.1["lost"]?.pairs)
      let archives = (verdicts.0["archive"]?.object, verdicts.1["archive"]?.object)
      #expect(archives.0?["root"]?.text == archives.1?["root"]?.text)
    }
    return verdicts.0
  }

  private func makeArchive() throws {
    let made = try gatebook.run(["archive", "-o", archive] + key)
    try #require(made.status == 0, "\(made.errors)")
    for _ in 0..<3 { _ = try gatebook.run(["switch", "--account", "nobody"] + key) }
  }

  @Test func `they agree on a book, its archive, and both together`() throws {
    try makeArchive()
    try verdict([], of: gatebook.book, status: 0)
    try verdict([], of: archive, status: 0)
    let both = try verdict(["--archive", archive], of: gatebook.book, status: 0)
    #expect(both["archived"]?.integer == both["archive"]?.object?["size"]?.integer)
    let checkpoint = gatebook.home + "/kept"
    #expect(try gatebook.run(["checkpoint", "-o", checkpoint] + key).status == 0)
    try verdict(["--against", checkpoint], of: gatebook.book, status: 0)
  }

  @Test(arguments: [
    "UPDATE opening_row SET state = '{}' WHERE part = 'stream'",
    "UPDATE opening_event SET at = at + 1 WHERE position = (SELECT min(position) FROM opening_event)",
    "DELETE FROM opening_event WHERE position = (SELECT min(position) FROM opening_event)",
    "UPDATE opening SET root = zeroblob(32)", "UPDATE opening SET state = zeroblob(32)",
    "UPDATE opening SET frontier = zeroblob(length(frontier))", "DELETE FROM opening",
    "UPDATE subtree SET root = zeroblob(32) WHERE number = 3", "INSERT INTO lost VALUES (1, 9)",
  ])
  func `both find a changed beginning`(_ change: String) throws {
    try makeArchive()
    _ = try ChildProcess.run(
      "sqlite3", [gatebook.book, change], environment: ProcessInfo.processInfo.environment)
    try verdict([], of: gatebook.book, status: 5)
  }

  @Test func `both find a changed archive, and one of another time`() throws {
    try makeArchive()
    let next = gatebook.home + "/next.gatebook"
    #expect(try gatebook.run(["archive", "-o", next] + key).status == 0)
    try verdict(["--archive", next], of: gatebook.book, status: 0)
    try verdict(["--archive", archive], of: next, status: 0)
    try verdict(["--archive", archive], of: gatebook.book, status: 5)
    chmod(next, 0o600)
    _ = try ChildProcess.run(
      "sqlite3", [next, "DROP TRIGGER event_is_never_updated; UPDATE event SET at = 1"],
      environment: ProcessInfo.processInfo.environment)
    try verdict(["--archive", next], of: gatebook.book, status: 5)
  }

  @Test func `they agree on what a recovered book can prove`() throws {
    try change(
      gatebook.book,
      "DELETE FROM event WHERE position = (SELECT max(position) / 256 * 256 - 9 FROM event)")
    let new = gatebook.home + "/new.gatebook"
    let made = try gatebook.run(["recover", "-o", new])
    try #require(made.status == 0, "\(made.errors)")
    let found = try verdict([], of: new, status: 0)
    let lost = try #require(found["lost"]?.pairs?.first?.first)
    let late = gatebook.home + "/late"
    #expect(try gatebook.run(["checkpoint", "-o", late, "--book", new] + key).status == 0)
    try verdict(["--against", late], of: new, status: 0)
    chmod(new, 0o600)
    try change(new, "DELETE FROM event WHERE position = \(lost + 1)")
    try change(new, "INSERT INTO lost VALUES (\(lost + 1), \(lost + 1))")
    try verdict([], of: new, status: 5)
    try verdict(["--against", late], of: new, status: 5)
  }

  @Test func `they agree on a checkpoint from before what was lost beside it`() throws {
    let early = gatebook.home + "/early"
    #expect(try gatebook.run(["checkpoint", "-o", early] + key).status == 0)
    for _ in 0..<3 { _ = try gatebook.run(["switch", "--account", "nobody"] + key) }
    try change(
      gatebook.book, "DELETE FROM event WHERE position = (SELECT max(position) - 1 FROM event)")
    let new = gatebook.home + "/new.gatebook"
    #expect(try gatebook.run(["recover", "-o", new]).status == 0)
    let found = try verdict(["--against", early], of: new, status: 0)
    #expect(found["level"]?.text == "checkpoint")
  }

  private func change(_ book: String, _ change: String) throws {
    let triggers = "DROP TRIGGER IF EXISTS event_is_never_deleted; "
    _ = try ChildProcess.run(
      "sqlite3", [book, triggers + change], environment: ProcessInfo.processInfo.environment)
  }

  @Test(arguments: [0, 20, 60, 100])
  func `they agree on a recovered book`(_ page: Int) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: gatebook.book))
    try file.seek(toOffset: UInt64(page) * 4096)
    try file.write(contentsOf: Data(count: 4096 * (page == 0 ? 1 : 5)))
    try file.close()
    let new = gatebook.home + "/new.gatebook"
    let made = try gatebook.run(["recover", "-o", new])
    try #require(made.status == 0, "\(made.errors)")
    let found = try verdict([], of: new, status: 0)
    #expect(found["recovered"]?.bool == true)
    let past = try gatebook.run(["archive", "-o", archive, "--book", new] + key)
    #expect(past.status == 0, "\(past.errors)")
    try verdict(["--archive", archive], of: new, status: 0)
    try verdict([], of: archive, status: 0)
  }
}
