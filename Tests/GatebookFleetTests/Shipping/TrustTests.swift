import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

struct TrustTests {
  /// A server that speaks TLS as `localhost` and 127.0.0.1.
  private static let server = Task { () async throws -> FleetServer in
    try await FleetServer.prepared(["--tls"])
  }

  private func ship(
    _ fleet: TestFleet, _ book: TestBook, _ words: [String] = [], host: String = "127.0.0.1",
    environment: [String: String] = [:]
  ) throws -> GatebookProcess.Ending {
    let url = fleet.server.url(.shipper, fleet.database, host: host)
    return try GatebookProcess.run(
      ["ship", "--book", book.path, "--to", url] + words, environment: environment)
  }

  private static let untrusted = "is not trusted, so nothing was sent to it."

  @Test func `a server with a certificate of the trusted authority is used`() async throws {
    let fleet = try await TestFleet(on: Self.server.value)
    let authority = try #require(fleet.server.authority)
    let book = try await TestBook.written(events: 5)
    for host in ["127.0.0.1", "localhost"] {
      let ending = try ship(fleet, book, ["--ca-file", authority], host: host)
      #expect(ending.exit == 0, "\(ending.errors)")
    }
    try fleet.expectHas(book)
    // On this machine nobody has to be asked for a certificate.
    #expect(try ship(fleet, book).exit == 0)
  }

  @Test func `a certificate of another authority is refused, also on loopback`() async throws {
    let fleet = try await TestFleet(on: Self.server.value)
    let authority = fleet.server.folder + "/other-ca.crt"
    let book = try await TestBook.written(events: 5)
    let ending = try ship(fleet, book, ["--ca-file", authority])
    #expect(ending.exit == 8)
    #expect(ending.errors.contains(Self.untrusted), "\(ending.errors)")
    #expect(try fleet.value("SELECT count(*) FROM gatebook.event") == "0")
  }

  @Test func `a certificate of another host is refused`() async throws {
    let fleet = try await TestFleet(on: Self.server.value)
    let authority = try #require(fleet.server.authority)
    let book = try await TestBook.written(events: 5)
    let passwords = try passfile(fleet, host: "fleet.example")
    let ending = try ship(
      fleet, book, ["--ca-file", authority], host: "fleet.example",
      environment: ["PGHOSTADDR": "127.0.0.1", "PGPASSFILE": passwords.file("pgpass")])
    #expect(ending.exit == 8)
    #expect(ending.errors.contains(Self.untrusted), "\(ending.errors)")
  }

  @Test func `a server without TLS is refused where a certificate is wanted`() async throws {
    let fleet = try await TestFleet()
    let tls = try await Self.server.value
    let book = try await TestBook.written(events: 5)
    let ending = try ship(fleet, book, ["--ca-file", try #require(tls.authority)])
    #expect(ending.exit == 8)
    #expect(ending.errors.contains(Self.untrusted), "\(ending.errors)")
  }

  @Test func `the environment cannot turn the check off`() async throws {
    let fleet = try await TestFleet(on: Self.server.value)
    let book = try await TestBook.written(events: 5)
    let ending = try ship(
      fleet, book, ["--ca-file", fleet.server.folder + "/other-ca.crt"],
      environment: ["PGSSLMODE": "disable", "PGSSLROOTCERT": "/nonexistent"])
    #expect(ending.exit == 8, "\(ending.errors)")
  }

  @Test func `only what is on this machine counts as such`() throws {
    let access = FleetAccess(try FleetAddress("postgresql://lap1@127.0.0.1/x"))
    #expect(access.trust.parameters(isLocal: true)["sslmode"] == "prefer")
    #expect(access.trust.parameters(isLocal: false)["sslmode"] == "verify-full")
    let cleartext = FleetTrust(allowsCleartext: true)
    #expect(cleartext.parameters(isLocal: false)["sslmode"] == "prefer")
    let both = FleetTrust(authorities: "/ca", allowsCleartext: true)
    #expect(both.parameters(isLocal: true)["sslrootcert"] == "/ca")
    #expect(both.parameters(isLocal: true)["sslmode"] == "verify-full")
  }

  /// A file with the server's password for another host.
  private func passfile(_ fleet: TestFleet, host: String) throws -> TestFolder {
    let folder = try TestFolder()
    let file = try #require(OpenFile.open(folder.file("pgpass"), .new))
    let lines = Files.text(of: fleet.server.passfile).replacing("127.0.0.1", with: host)
    #expect(file.write(Array(lines.utf8)))
    return folder
  }
}
