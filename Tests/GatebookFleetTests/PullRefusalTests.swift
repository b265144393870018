import Gatebook
import GatebookStore
import GatebookSystem
import Testing

@testable import GatebookFleet

@Suite struct PullRefusalTests {
  /// Fleets whose rows are put back after each change.
  private static let withRows = Task { try await changed(try await TestBook.written()) }
  private static let withHead = Task { try await changed(try await TestBook.written()) }
  private static let withBeginning = Task { () async throws -> ChangedFleet in
    let book = try await TestBook.written()
    try await book.append(.erasing(TestBook.bob))
    try book.putAway(try await book.archive())
    return try await changed(book)
  }

  private static func changed(_ book: TestBook) async throws -> ChangedFleet {
    let fleet = try await TestFleet()
    try await fleet.ship(book)
    return try ChangedFleet(fleet, book)
  }

  /// Expects that a pull from a changed fleet is refused, and leaves nothing.
  private func expectMismatch(
    _ whole: ChangedFleet, _ change: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> GatebookError? {
    try await whole.changed(by: change) { fleet in
      let stage = try PullStage(of: fleet)
      let error = await expect(.fleetMismatch, sourceLocation: sourceLocation) {
        () throws(GatebookError) in try await stage.pull()
      }
      stage.expectNothingLeft(sourceLocation: sourceLocation)
      return error
    }
  }

  @Test func `a book whose facts stayed at home is refused`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try await stage.fleet.ship(
      book, options: ShipmentOptions(machine: nil, sendsPersonal: false))
    let error = await expect(.fleetWithheld) { () throws(GatebookError) in try await stage.pull() }
    #expect(error?.message.contains("events of book") == true)
    let id = try book.reader().id.description
    let ending = try stage.run(["pull", id, "-o", stage.path])
    #expect(ending.exit == 1, "\(ending.errors)")
    stage.expectNothingLeft()
  }

  @Test func `a beginning whose facts stayed at home is refused`() async throws {
    let stage = try await PullStage()
    let book = try await TestBook.written()
    try book.putAway(try await book.archive())
    try await stage.fleet.ship(
      book, options: ShipmentOptions(machine: nil, sendsPersonal: false))
    await expect(.fleetWithheld) { () throws(GatebookError) in try await stage.pull() }
    stage.expectNothingLeft()
  }

  @Test(
    .serialized,
    arguments: [
      "UPDATE gatebook.event SET data = '{\"a\":1}' WHERE position = 40",
      "UPDATE gatebook.event SET data = '' WHERE position = 40",
      "UPDATE gatebook.event SET at = at + 1 WHERE position = 40",
      "UPDATE gatebook.event SET kind = 'login.failed' WHERE position = 40",
      "UPDATE gatebook.event SET revision = revision + 1000 WHERE position = 40",
      "UPDATE gatebook.event SET program = 99 WHERE position = 40",
      "UPDATE gatebook.event SET cause = 90 WHERE position = 40",
      "UPDATE gatebook.event SET account = id WHERE position = 40",
      "UPDATE gatebook.event SET sealed = '\\x00' WHERE position = 40",
      "UPDATE gatebook.event SET leaf = sha256('') WHERE position = 40",
      "UPDATE gatebook.event SET leaf = '' WHERE position = 40",
      "UPDATE gatebook.event SET id = (SELECT id FROM gatebook.event WHERE position = 9) WHERE position = 40",
      "DELETE FROM gatebook.event WHERE position = 40",
    ])
  func `a changed row is refused with its position`(_ change: String) async throws {
    let error = try await expectMismatch(try await Self.withRows.value, change)
    #expect(error?.message.contains("position 40 ") == true, "\(error?.message ?? "")")
  }

  @Test(
    .serialized,
    arguments: [
      "UPDATE gatebook.branch SET root = sha256('')",
      "UPDATE gatebook.branch SET size = size + 1",
      "UPDATE gatebook.branch SET size = size - 1",
      "UPDATE gatebook.branch SET checkpoint = replace(checkpoint, E'\\n309\\n', E'\\n308\\n')",
      "UPDATE gatebook.branch SET checkpoint = 'no checkpoint'",
      "UPDATE gatebook.program SET described = overlay(described PLACING 'z'::bytea FROM 3)",
      "DELETE FROM gatebook.event WHERE position = 309",
      "DELETE FROM gatebook.event",
      "UPDATE gatebook.event SET position = 0 WHERE position = 309",
    ])
  func `a history that does not fit its head is refused`(_ change: String) async throws {
    _ = try await expectMismatch(try await Self.withHead.value, change)
  }

  @Test(
    .serialized,
    arguments: [
      "DELETE FROM gatebook.past", "DELETE FROM gatebook.past WHERE part = 'opening'",
      "DELETE FROM gatebook.past WHERE part = 'stream'",
      "DELETE FROM gatebook.past WHERE part = 'subtree'",
      "UPDATE gatebook.past SET content = '{}' WHERE part = 'account'",
      "UPDATE gatebook.past SET content = '' WHERE part = 'opening_event'",
      "UPDATE gatebook.past SET content = '\\x00' WHERE part = 'opening'",
      "UPDATE gatebook.past SET content = '\\x00' WHERE part = 'subtree'",
      "UPDATE gatebook.past SET name = '' WHERE part = 'session' AND name <> ''",
    ])
  func `a changed beginning is refused`(_ change: String) async throws {
    // Two sessions cannot have one name.
    let only = " AND name = (SELECT name FROM gatebook.past WHERE part = 'session' LIMIT 1)"
    let whole = try await Self.withBeginning.value
    _ = try await expectMismatch(whole, change + (change.hasSuffix("name <> ''") ? only : ""))
  }

  @Test func `a file that is there already is kept`() async throws {
    let stage = try await PullStage()
    try await stage.fleet.ship(try await TestBook.written())
    let file = try #require(OpenFile.open(stage.path, .new))
    #expect(file.write(Array("mine".utf8)))
    await expect(.configurationInvalid) { () throws(GatebookError) in try await stage.pull() }
    #expect(Files.text(of: stage.path) == "mine")
    #expect(Files.names(in: stage.folder.path) == ["pulled"])
  }

  @Test func `who is no auditor is refused`() async throws {
    let stage = try await PullStage()
    try await stage.fleet.ship(try await TestBook.written())
    for role in [FleetRole.stranger, .shipper] {
      await expect(.fleetRefused) { () throws(GatebookError) in try await stage.pull(as: role) }
    }
    stage.expectNothingLeft()
  }

  @Test func `an empty fleet and an unknown name are refused`() async throws {
    let stage = try await PullStage()
    await expect(.configurationInvalid) { () throws(GatebookError) in try await stage.pull() }
    await expect(.configurationInvalid) { () throws(GatebookError) in try await stage.pull("x") }
    let ending = try stage.run(["pull", "' OR true --", "-o", stage.path])
    #expect(ending.exit == 2, "\(ending.errors)")
    stage.expectNothingLeft()
  }

  @Test func `a cancelled pull leaves nothing`() async throws {
    let stage = try await PullStage()
    try await stage.fleet.ship(try await TestBook.written(events: 2000))
    let access = try stage.fleet.access(.auditor)
    let path = stage.path
    let pull = Task {
      try await FleetPull(from: access).pull(nil, to: path) { _, _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: GatebookError.self) { try await pull.value }
    stage.expectNothingLeft()
  }

  /// A file system of a kind that only root, or root of a name space, may mount.
  private static let mayMount =
    (ChildProcess(
      "/usr/bin/unshare", ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
      environment: [], streams: [.nothing, .nothing, .nothing])?.wait()?.code == 0)

  @Test(.enabled(if: mayMount), arguments: [64, 256, 400])
  func `a pull onto a full disk leaves nothing`(_ size: Int) async throws {
    let stage = try await PullStage()
    try await stage.fleet.ship(try await TestBook.written(events: 2000))
    let result = stage.folder.file("result")
    let script = """
      mount -t tmpfs -o size=\(size)k tmpfs /mnt || exit 99
      "\(try GatebookProcess.program())" fleet pull laptop -o /mnt/book 2> \(result)
      code=$?; ls -A /mnt >> \(result); exit $code
      """
    let process = try #require(
      ChildProcess(
        "/usr/bin/unshare", ["unshare", "-rm", "/bin/bash", "-c", script],
        environment: [
          "PATH=/usr/bin:/bin", "HOME=\(stage.folder.path)", "LC_ALL=C.UTF-8",
          "GATEBOOK_FLEET=\(stage.fleet.url(.auditor))",
        ], streams: [.nothing, .nothing, .nothing]))
    #expect(process.wait()?.code == 1)
    let text = Files.text(of: result)
    #expect(text.hasPrefix("gatebook: There is not enough space for the pulled book."), "\(text)")
    #expect(text.split(separator: "\n").count == 3, "\(text)")
  }
}
