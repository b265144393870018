internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// `gatebook backup`, as people run it.
struct BackupTests {
  @Test func `a backup opens with the book's key and is listed by an erase`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let path = "\(scene.folder)/copy"
    let copied = try scene.run("backup", path, "--json")
    #expect(copied.exit == 0, "\(copied.errors)")
    #expect(
      copied.output.contains(#""place":"\#(path)","events":6,"there":true"#), "\(copied.output)")
    #expect(try scene.run("verify", "--book", path).exit == 0)
    #expect(try scene.run("whoami", "--book", path).output.contains("label          ada"))
    #expect(try scene.run("doctor", "--book", path).exit == 0)
    let erased = try scene.run("erase", "ada", "--yes")
    #expect(erased.output.contains("- \(path) (backup of "), "\(erased.output)")
    #expect(try scene.run("whoami", "--book", path).output.contains("label          ada"))
    let doctor = try scene.run("doctor")
    #expect(doctor.output.contains(path), "\(doctor.output)")
    try #require(unlink(path) == 0)
    let again = try scene.run("erase", "--account", Self.id(scene), "--yes")
    #expect(again.output.contains("the file no longer exists"), "\(again.output)")
  }

  @Test func `a restored backup does not call itself unfinished`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let path = "\(scene.folder)/copy"
    #expect(try scene.run("backup", path).exit == 0)
    let file = open(path, O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    try #require(pread(file, &bytes, bytes.count, 0) == bytes.count)
    let restored = "\(scene.folder)/restored.gatebook"
    try TextFile.write(bytes, to: restored)
    let doctor = try scene.run("doctor", "--offline", "--book", restored)
    #expect(
      doctor.output.contains("its end is not recorded here: either this book was restored from it"),
      "\(doctor.output)")
  }

  private static func id(_ scene: Scene) throws -> String {
    let line = try scene.run("accounts", "--json").output
    return String(try #require(line.firstMatch(of: /"id":"([0-9a-f]{32})"/)).output.1)
  }

  @Test func `an existing file is kept without --force`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let path = "\(scene.folder)/letter"
    try TextFile.write(Array("Dear Ada".utf8), to: path)
    let refused = try scene.run("backup", path)
    #expect(refused.exit == 1, "\(refused.errors)")
    #expect(refused.errors.contains("--force") || refused.errors.contains("allow replacing"))
    #expect(try TextFile.read(path, what: "letter") == "Dear Ada")
    #expect(try scene.run("backup", scene.book, "--force").exit == 2)
    #expect(try scene.run("backup", scene.keyFile(), "--force").exit == 2)
    #expect(try scene.run("backup", path, "--force").exit == 0)
    #expect(try scene.run("verify", "--book", path).exit == 0)
    #expect(try scene.run("backup", "\(scene.folder)/none/copy").exit == 1)
    #expect(try scene.run("verify").exit == 0)
  }

  @Test func `a terminal sees how far it has come`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      ["backup", "\(scene.folder)/copy"], ChildProcess.Streams(terminal: terminal.path))
    #expect(terminal.read(until: "verified").contains("6 events, verified"))
    terminal.drain()
    #expect(child.end().exit == 0)
  }
}
