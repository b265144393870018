internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// The exits of the contract, by what really leads to them.
struct ExitTests {
  @Test func `a wrong password is 3, and nothing but the log changes`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let before = try scene.run("whoami", "--json").output
    let ending = try scene.run(
      "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user",
      FakePortalUser.ada.emailAddress, "--password-stdin", input: "hunter2\n")
    #expect(ending.exit == 3)
    #expect(!ending.errors.contains("hunter2"))
    #expect(try scene.run("whoami", "--json").output == before)
    let log = try scene.run("log", "--failed", "--json").output
    #expect(log.contains(#""kind":"login.failed""#))
  }

  @Test func `without an account whoami is 3`() throws {
    let scene = try Scene()
    try scene.run(
      "login", "liferay", "--server", scene.portal.url, "--user", "nobody@example.test",
      "--password-stdin", input: "x\n")
    #expect(try scene.run("whoami").exit == 3)
    #expect(try scene.run("accounts").exit == 0)
  }

  @Test func `a server that is down is 4, and the session is kept`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    scene.portal.stop()
    #expect(try scene.run("request", scene.portal.url + "/api/jsonws").exit == 4)
    #expect(try scene.run("restore").exit == 0)
    #expect(try scene.run("whoami", "--json").output.contains(#""state":"offline""#))
  }

  @Test func `a foreign server is 8 before anything is sent`() throws {
    let scene = try Scene()
    let other = try FakeLiferayPortal(seed: 9)
    try other.start()
    defer { other.stop() }
    try scene.logIn(.ada)
    #expect(try scene.run("request", other.url + "/").exit == 8)
    #expect(other.requests.isEmpty)
  }

  @Test func `what is no book is 5`() throws {
    let scene = try Scene()
    let path = "\(scene.folder)/letter"
    try TextFile.write(Array("Dear Ada, this is no book at all.\n".utf8), to: path)
    for command in ["accounts", "log", "verify", "restore"] {
      #expect(try scene.run(command, "--book", path).exit == 5, "\(command)")
    }
    #expect(try TextFile.read(path, what: "letter").hasPrefix("Dear Ada"))
  }

  @Test func `one flipped bit is 5, and verify names the event`() throws {
    let scene = try Scene()
    try scene.populate()
    var bytes = try TextFile.bytes(scene.book, what: "book", limit: 1 << 26)
    let fact = Array(#""evidence":"identity""#.utf8)
    let start = try #require(bytes.firstRange(of: fact)).lowerBound
    bytes[start + fact.count - 2] ^= 1
    let copy = "\(scene.folder)/copy"
    try TextFile.write(bytes, to: copy)
    let ending = try scene.run("verify", "--json", "--book", copy)
    #expect(ending.exit == 5)
    #expect(ending.output.contains(#""ok":false"#))
    #expect(ending.output.contains(#""firstBad":"#))
    #expect(try scene.run("verify").exit == 0)
  }

  @Test func `a cut-off end shows against a checkpoint kept elsewhere`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let copy = "\(scene.folder)/copy"
    try TextFile.write(try TextFile.bytes(scene.book, what: "book", limit: 1 << 26), to: copy)
    try scene.logIn(.ben, label: "ben")
    let note = "\(scene.folder)/note"
    #expect(try scene.run("checkpoint", "-o", note).exit == 0)
    #expect(try scene.run("verify", "--against", note).exit == 0)
    #expect(try scene.run("verify", "--book", copy).exit == 0)
    let ending = try scene.run("verify", "--book", copy, "--against", note, "--json")
    #expect(ending.exit == 5)
    #expect(ending.output.contains(#""level":"checkpoint""#))
  }

  @Test func `a busy book is 6`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let descriptor = open(scene.book + "-lock", O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    // F_OFD_SETLK is 37 on Linux; byte 1 is the writer's.
    var lock = flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 1, l_len: 1, l_pid: 0)
    try #require(fcntl(descriptor, 37, &lock) == 0)
    let ending = try scene.run("switch", "ada", "--wait", "0")
    #expect(ending.exit == 6)
    #expect(try scene.run("accounts").exit == 0)
  }

  @Test func `no key is asked for where the log alone is verified`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    // Readers say so of a key that others can read.
    chmod(try scene.keyFile(), 0o644)
    #expect(try scene.run("log").errors.contains("Personal data stays encrypted"))
    let verified = try scene.run("verify")
    #expect(verified.exit == 0 && !verified.errors.contains("sealed"), "\(verified.errors)")
  }

  @Test func `without the key writing exits with 7, and reading shows what is encrypted`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let key = try scene.keyFile()
    try #require(rename(key, key + ".away") == 0)
    #expect(try scene.run("restore").exit == 7)
    for command in ["accounts", "log", "sessions", "verify", "whoami", "show"] {
      #expect(try scene.run(command).exit == 0, "\(command)")
    }
    let accounts = try scene.run("accounts", "--json")
    #expect(accounts.output.contains(#""label":"sealed""#))
    #expect(accounts.errors.isEmpty)
    try #require(rename(key + ".away", key) == 0)
    chmod(key, 0o644)
    #expect(try scene.run("restore").exit == 7)
    #expect(try scene.run("whoami", "--key", "file:\(key)").exit == 7)
  }

  @Test func `a book of a newer version is 7 and stays as it is`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    var bytes = try TextFile.bytes(scene.book, what: "book", limit: 1 << 26)
    // The user version is at offset 60 of SQLite's header, in big-endian order.
    bytes[63] = 99
    let copy = "\(scene.folder)/newer"
    try TextFile.write(bytes, to: copy)
    #expect(try scene.run("accounts", "--book", copy).exit == 7)
    #expect(try scene.run("restore", "--book", copy).exit == 7)
    #expect(try TextFile.bytes(copy, what: "book", limit: 1 << 26) == bytes)
  }

  @Test func `a mistyped path makes no book`() throws {
    let scene = try Scene()
    let path = "\(scene.folder)/mistyped"
    for command in ["restore", "logout", "rebuild", "checkpoint", "accounts"] {
      #expect(try scene.run(command, "--book", path).exit == 7, "\(command)")
    }
    #expect(access(path, F_OK) != 0)
  }
}
