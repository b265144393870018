import Gatebook
import GatebookSystem
import Glibc
import Testing

@testable import GatebookFleet

/// Tests run as root in many places, and machines ship as other users.
@Suite struct PlainUserTests {
  /// The user `nobody` of Debian.
  private static let user = "65534"
  private static let canChange = geteuid() == 0 && Files.isExecutable("/usr/bin/setpriv")

  /// Runs a command as that user, at a path that the user can reach.
  private func run(
    _ line: [String], in folder: TestFolder
  ) throws -> (exit: Int32?, output: String, errors: String) {
    let program = folder.file("gatebook")
    if !Files.exists(program) { _ = try #require(OpenFile.open(program, .new)) }
    try Self.own(folder)
    let (output, errors) = (try TestFolder(), try TestFolder())
    let results = try #require(OpenFile.open(output.file("text"), .new))
    let messages = try #require(OpenFile.open(errors.file("text"), .new))
    let words = [
      "unshare", "-m", "sh", "-c",
      """
      mount --bind "$1" "$2" && shift && exec setpriv --reuid \(Self.user) --regid \(Self.user) \
      --clear-groups --no-new-privs "$@"
      """, "sh", try GatebookProcess.program(), program,
    ]
    let process = try #require(
      ChildProcess(
        "unshare", words + line,
        environment: ["PATH=/usr/bin:/bin", "HOME=\(folder.path)", "LC_ALL=C.UTF-8"],
        streams: [
          .nothing, .descriptor(results.descriptor), .descriptor(messages.descriptor),
        ]))
    let exit = process.wait()?.code
    return (exit, Files.text(of: output.file("text")), Files.text(of: errors.file("text")))
  }

  /// Gives a folder and all in it to that user.
  private static func own(_ folder: TestFolder) throws {
    let line = ["chown", "-R", "\(user):\(user)", folder.path]
    try #require(
      ChildProcess("chown", line, environment: ["PATH=/usr/bin:/bin"])?.wait()?.code == 0)
  }

  @Test(.enabled(if: canChange))
  func `a plain user ships a book, asks the fleet and copies the book back`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    let folder = book.folder
    let passwords = try #require(OpenFile.open(folder.file("pgpass"), .new))
    #expect(passwords.write(Array(Files.text(of: fleet.server.passfile).utf8)))
    func url(_ role: FleetRole) -> String {
      fleet.url(role).replacing(fleet.server.passfile, with: folder.file("pgpass"))
    }
    let ship = ["ship", "--book", book.path, "--key", "file:\(book.keyPath)", "--to"]
    let shipped = try run(ship + [url(.shipper)], in: folder)
    #expect(shipped.exit == 0, "\(shipped.errors)")
    #expect(shipped.output.contains("with a signed checkpoint"), "\(shipped.output)")
    try fleet.expectHas(book)
    let asked = try run(["fleet", "verify", "--fleet", url(.auditor)], in: folder)
    #expect(asked.exit == 0, "\(asked.errors)")
    let copy = folder.file("pulled")
    let pulled = try run(
      ["fleet", "pull", try book.id.description, "-o", copy, "--fleet", url(.auditor)], in: folder)
    #expect(pulled.exit == 0, "\(pulled.errors)")
    #expect(try await BookVerifier(path: copy).verify().ok)
  }

  @Test(.enabled(if: canChange))
  func `a plain user who may not read the passwords is refused`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    let ending = try run(
      ["ship", "--book", book.path, "--to", fleet.url(.shipper)], in: book.folder)
    #expect(ending.exit == 3, "\(ending.errors)")
    #expect(try fleet.value("SELECT count(*) FROM gatebook.branch") == "0")
  }
}
