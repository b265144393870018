import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

struct ServerFaultTests {
  @Test func `a connection that the administrator ends is made again`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 300)
    let halt = try Halt(fleet, when: "INSERT", into: "event")
    let process = try GatebookProcess(
      ["ship", "--book", book.path, "--to", fleet.url(), "--wait", "60"])
    try await halt.wait()
    try fleet.run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = 'lap1'
      """)
    try await halt.end()
    let ending = process.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors.contains("could not be reached"), "\(ending.errors)")
    try fleet.expectHas(book)
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "only root mounts a small disk"))
  func `a full disk of the server is named, and nothing is lost`() async throws {
    let server = try await FleetServer.shared.value
    let disk = try SmallDisk(megabytes: 96)
    let fleet = try await TestFleet(on: server)
    let book = try await TestBook.written(events: 100)
    try await fleet.ship(book)
    let space = "small_" + fleet.database
    fleet.disconnect()
    try server.run("CREATE TABLESPACE \(space) LOCATION '\(disk.path)'")
    try server.run("ALTER DATABASE \(fleet.database) SET TABLESPACE \(space)")
    try disk.fill()
    try await book.grow(by: 5000)
    let line = ["ship", "--book", book.path, "--to", fleet.url()]
    let ending = try GatebookProcess.run(line)
    #expect(ending.exit == 4, "\(ending.errors)")
    #expect(ending.errors.contains("has no room left."), "\(ending.errors)")
    #expect(try fleet.rows("SELECT size FROM gatebook.branch") == ["(109)"])
    let process = try GatebookProcess(line + ["--wait", "60"])
    try await wait(for: "word of it") { process.errors.contains("Trying again in") }
    disk.empty()
    let second = process.end()
    #expect(second.exit == 0, "\(second.errors)")
    try fleet.expectHas(book)
    fleet.disconnect()
    try server.run("ALTER DATABASE \(fleet.database) SET TABLESPACE pg_default")
    try server.run("DROP TABLESPACE \(space)")
  }
}

extension StoppedServerTests {
  @Test func `a server that is killed in the middle of a batch loses nothing`() async throws {
    let server = try await Self.running()
    let fleet = try await TestFleet(on: server)
    let book = try await TestBook.written(events: 5000)
    let halt = try Halt(fleet, when: "INSERT", into: "tally")
    let process = try GatebookProcess(
      ["ship", "--book", book.path, "--to", fleet.url(), "--wait", "60"])
    try await halt.wait()
    try server.crash {
      try wait(for: "word of it") { process.errors.contains("Trying again in") }
      #expect(process.isRunning)
    }
    let ending = process.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors.contains("Trying again in 1 second."), "\(ending.errors)")
    #expect(ending.output.contains("the fleet has 5,009"), "\(ending.output)")
    try fleet.expectHas(book)
    #expect(try fleet.rows("SELECT code FROM gatebook.notice").isEmpty)
  }

  @Test func `a follower continues after the server is there again`() async throws {
    let server = try await Self.running()
    let fleet = try await TestFleet(on: server)
    let book = try await TestBook.written(events: 50)
    let process = try GatebookProcess(
      ["ship", "--book", book.path, "--to", fleet.url(), "--follow"])
    try await wait(for: "first events") {
      try fleet.value("SELECT size FROM gatebook.branch") == "59"
    }
    try server.crash {}
    try await book.grow(by: 30)
    try await wait(for: "more events") {
      try fleet.value("SELECT size FROM gatebook.branch") == "89"
    }
    process.interrupt()
    #expect(process.end().exit == 0)
    try fleet.expectHas(book)
  }
}
