import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// Fleets that cannot be used, each with its code and the command's exit.
struct RefusalTests {
  private func ship(
    _ book: TestBook, to url: String, environment: [String: String] = [:]
  ) throws -> GatebookProcess.Ending {
    try GatebookProcess.run(
      ["ship", "--book", book.path, "--to", url, "--json"], environment: environment)
  }

  private func expect(
    _ code: FailureCode, _ exit: Int32, _ url: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let book = try await TestBook.written(events: 5)
    let ending = try ship(book, to: url)
    #expect(ending.exit == exit, "\(ending.errors)", sourceLocation: sourceLocation)
    #expect(
      ending.errors.contains("\"\(code)\""), "\(ending.errors)", sourceLocation: sourceLocation)
    let access = FleetAccess(try FleetAddress(url))
    await GatebookFleetTests.expect(code, sourceLocation: sourceLocation) {
      () throws(GatebookError) in
      try await BookShipment(of: book.path, key: nil, to: access).ship()
    }
  }

  @Test(arguments: [FleetRole.stranger, .auditor])
  func `a role that is no shipper is refused`(_ role: FleetRole) async throws {
    let fleet = try await TestFleet()
    try await expect(.fleetRefused, 3, fleet.url(role))
    #expect(try fleet.value("SELECT count(*) FROM gatebook.event") == "0")
  }

  @Test func `a role that does not exist is refused`() async throws {
    let fleet = try await TestFleet()
    try await expect(.fleetRefused, 3, fleet.url().replacing("//lap1@", with: "//nobody@"))
  }

  @Test func `a wrong password is refused`() async throws {
    let fleet = try await TestFleet()
    let folder = try TestFolder()
    let file = try #require(OpenFile.open(folder.file("pgpass"), .new))
    #expect(file.write(Array("*:*:*:*:wrong\n".utf8)))
    let url = fleet.url().replacing(fleet.server.passfile, with: folder.file("pgpass"))
    try await expect(.fleetRefused, 3, url)
  }

  @Test func `without a password the shipper is refused, and PGPASSWORD is not read`() async throws
  {
    let fleet = try await TestFleet()
    let password = try #require(
      Files.text(of: fleet.server.passfile).split(separator: "\n").first?.split(separator: ":").last
    )
    let book = try await TestBook.written(events: 5)
    let url = "postgresql://lap1@127.0.0.1:\(fleet.server.port)/\(fleet.database)"
    let ending = try ship(book, to: url, environment: ["PGPASSWORD": String(password)])
    #expect(ending.exit == 3, "\(ending.errors)")
    // The file of PGPASSFILE is read.
    let second = try ship(book, to: url, environment: ["PGPASSFILE": fleet.server.passfile])
    #expect(second.exit == 0, "\(second.errors)")
  }

  @Test func `the password is asked for, and used for all connections`() async throws {
    let fleet = try await TestFleet()
    let password = try #require(
      Files.text(of: fleet.server.passfile).split(separator: "\n").first?.split(separator: ":").last
    )
    let book = try await TestBook.written(events: 5)
    let asked = Locked(0)
    let address = try FleetAddress(
      "postgresql://lap1@127.0.0.1:\(fleet.server.port)/\(fleet.database)?passfile=/nonexistent")
    let access = FleetAccess(address) { () throws(GatebookError) in
      asked.withLock { $0 += 1 }
      return Secret(Array(password.utf8))
    }
    for _ in 0..<2 { try await BookShipment(of: book.path, key: nil, to: access).ship() }
    #expect(asked.withLock { $0 } == 1)
    try fleet.expectHas(book)
  }

  @Test func `a URL with a password is refused, and its password is printed nowhere`() async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 5)
    for url in [
      "postgresql://lap1:hunter2@127.0.0.1:\(fleet.server.port)/\(fleet.database)",
      "postgresql://lap1@127.0.0.1/x?password=hunter2", "postgresql://lap1:hunter2@[::1/x",
      "postgres://h/x?sslpassword=hunter2", "http://lap1:hunter2@127.0.0.1/x",
      "postgresql://lap1@h/x?options=hunter2", "postgresql://lap1@h/x?sslmode=disable",
    ] {
      let ending = try ship(book, to: url)
      #expect(ending.exit == 2, "\(url): \(ending.errors)")
      #expect(!(ending.output + ending.errors).contains("hunter2"), "\(url)")
    }
    #expect(try fleet.value("SELECT count(*) FROM gatebook.branch") == "0")
  }

  @Test func `a database that is no fleet is named so`() async throws {
    let fleet = try await TestFleet()
    try await expect(.fleetMissing, 7, fleet.server.url(.shipper, "postgres"))
    try await expect(.fleetMissing, 7, fleet.server.url(.shipper, "no_such_database"))
  }

  @Test func `a newer fleet is refused, and an older one too`() async throws {
    let fleet = try await TestFleet()
    let version = try #require(try fleet.value("SELECT version FROM gatebook.fleet"))
    try fleet.run("UPDATE gatebook.fleet SET version = 99")
    try await expect(.fleetNewer, 7, fleet.url())
    await GatebookFleetTests.expect(.fleetNewer) { () throws(GatebookError) in
      _ = try await FleetSchema.create(at: try fleet.access(.admin))
    }
    try fleet.run("UPDATE gatebook.fleet SET version = 0")
    try await expect(.fleetMissing, 7, fleet.url())
    try fleet.run("UPDATE gatebook.fleet SET version = \(version)")
    #expect(try fleet.value("SELECT count(*) FROM gatebook.event") == "0")
  }

  @Test func `a server that does not answer is out of reach`() async throws {
    let fleet = try await TestFleet()
    // Bound, so that nobody else takes the port, and nobody listens.
    let socket = try #require(Sockets.bound(to: 0))
    let port = try #require(Sockets.port(of: socket))
    let url = fleet.url().replacing(":\(fleet.server.port)/", with: ":\(port)/")
    try await expect(.fleetUnreachable, 4, url)
    let book = try await TestBook.written(events: 5)
    let name = try ship(book, to: "postgresql://lap1@fleet.invalid/x")
    #expect(name.exit == 4, "\(name.errors)")
    _ = OpenFile(taking: socket)
  }

  @Test func `who is refused once is refused at once, however patient`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 5)
    let waits = Locked(0)
    await GatebookFleetTests.expect(.fleetRefused) { () throws(GatebookError) in
      try await BookShipment(of: book.path, key: nil, to: try fleet.access(.auditor)).ship(
        patience: .seconds(60)
      ) { news in
        if case .waiting = news { waits.withLock { $0 += 1 } }
      }
    }
    #expect(waits.withLock { $0 } == 0)
  }

  @Test func `a book of another role is refused, and that is recorded`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 5)
    try await fleet.ship(book)
    try await book.grow(by: 5)
    let error = await GatebookFleetTests.expect(.fleetRefused) { () throws(GatebookError) in
      try await fleet.ship(book, as: .secondShipper)
    }
    let id = try book.reader().id
    #expect(error?.remedy.contains("gatebook fleet grant \(id) --to ROLE") == true)
    #expect(try fleet.value("SELECT size FROM gatebook.branch") == "14")
    try await fleet.ship(book)
    try fleet.expectHas(book)
  }
}
