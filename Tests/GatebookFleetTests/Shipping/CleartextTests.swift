import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// A server on another machine.
///
/// The command runs in a network of its own, where a forwarder to the server answers at an address
/// that is not loopback.
@Suite struct CleartextTests {
  private static let address = "192.0.2.1"

  /// Makes that network, and runs a command in it: the arguments after the port of the server.
  private static let forwarder = """
    import ctypes, fcntl, queue, socket, struct, subprocess, sys, threading
    accepted = queue.Queue()
    def pump(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass
    def forward():
        while True:
            near = accepted.get()
            far = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
            for pair in ((near, far), (far, near)):
                threading.Thread(target=pump, args=pair, daemon=True).start()
    # This thread stays in the network where the server is.
    threading.Thread(target=forward, daemon=True).start()
    if ctypes.CDLL(None, use_errno=True).unshare(0x40000000) != 0:
        sys.exit("no network of its own: errno %d" % ctypes.get_errno())
    loopback = socket.socket()
    place = socket.inet_aton("\(address)")
    fcntl.ioctl(loopback, 0x8916, struct.pack("16sHH4s16x", b"lo", socket.AF_INET, 0, place))
    fcntl.ioctl(loopback, 0x8914, struct.pack("16sH22x", b"lo", 0x41))
    listener = socket.create_server(("\(address)", 5432))
    def accept():
        while True:
            accepted.put(listener.accept()[0])
    threading.Thread(target=accept, daemon=True).start()
    sys.exit(subprocess.call(sys.argv[2:]))
    """

  private func run(
    _ fleet: TestFleet, _ line: [String], _ role: FleetRole = .shipper
  ) throws -> GatebookProcess.Ending {
    let folder = try TestFolder()
    let file = try #require(OpenFile.open(folder.file("pgpass"), .new))
    let password = try #require(
      Files.text(of: fleet.server.passfile).split(separator: "\n").first?.split(separator: ":").last
    )
    #expect(file.write(Array("*:*:*:*:\(password)\n".utf8)))
    let url = "postgresql://\(role.rawValue)@\(Self.address)/\(fleet.database)"
    return try GatebookProcess.run(
      line + [url],
      environment: [
        "FORWARDER": Self.forwarder, "PGPASSFILE": folder.file("pgpass"),
        "PYTHONDONTWRITEBYTECODE": "1",
      ],
      under: "exec python3 -c \"$FORWARDER\" \(fleet.server.port) \"$@\"")
  }

  @Test func `another machine without TLS is refused, and nothing is sent to it`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 5)
    for line in [["ship", "--book", book.path, "--to"], ["fleet", "books", "--fleet"]] {
      let ending = try run(fleet, line)
      #expect(ending.exit == 8, "\(ending.errors)")
      #expect(ending.errors.contains("is not trusted, so nothing was sent to it."))
    }
    #expect(try fleet.value("SELECT count(*) FROM gatebook.branch") == "0")
  }

  @Test func `another machine without TLS is used if somebody allows it`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 5)
    let shipped = try run(fleet, ["ship", "--book", book.path, "--allow-cleartext", "--to"])
    #expect(shipped.exit == 0, "\(shipped.errors)")
    try fleet.expectHas(book)
    let asked = try run(fleet, ["fleet", "books", "--allow-cleartext", "--fleet"], .auditor)
    #expect(asked.exit == 0, "\(asked.errors)")
    #expect(asked.output.contains(try book.id.description.prefix(8)))
  }

  @Test func `an authority that is named is checked although cleartext is allowed`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 5)
    let folder = try TestFolder()
    let file = try #require(OpenFile.open(folder.file("ca.crt"), .new))
    #expect(file.write([]))
    let ending = try run(
      fleet,
      [
        "ship", "--book", book.path, "--allow-cleartext", "--ca-file", folder.file("ca.crt"),
        "--to",
      ])
    #expect(ending.exit == 8, "\(ending.errors)")
    #expect(try fleet.value("SELECT count(*) FROM gatebook.branch") == "0")
  }
}
