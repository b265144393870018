internal import CSQLite
internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// `gatebook erase`, as people run it.
struct EraseTests {
  private static let label = "L\u{FC}cke-\u{201C}label\u{201D}"

  /// What belongs to the book's first account alone, as the tables have it.
  private static func blobs(_ scene: Scene) throws -> [(name: String, bytes: [UInt8])] {
    let connection = try ReaderConnection.open(BookFile(path: scene.book))
    var blobs: [(String, [UInt8])] = []
    for (name, query) in [
      ("wrapped key", "SELECT key FROM account WHERE number = 1"),
      ("lookup", "SELECT hash FROM account_lookup WHERE account = 1"),
      ("secret", "SELECT sealed FROM vault WHERE account = 1"),
    ] {
      let statement = try connection.statement(query)
      defer { statement.reset() }
      while try statement.step() { blobs.append((name, statement.bytes(0))) }
    }
    try #require(blobs.count > 4)
    return blobs
  }

  private static func id(_ scene: Scene, _ name: String) throws -> String {
    let line = try scene.run("whoami", "--account", name, "--json").output
    return String(try #require(line.firstMatch(of: /"id":"([0-9a-f]{32})"/)).output.1)
  }

  @Test func `a renewal of an erased account says that its person is gone`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let id = try Self.id(scene, "ada")
    #expect(try scene.run("erase", "ada", "--yes").exit == 0)
    let refresh = try scene.run("refresh", "--account", id)
    #expect(refresh.exit == 3)
    #expect(refresh.errors == (try scene.run("token", "--account", id).errors))
    #expect(refresh.errors.contains("its user, its attributes and its secrets are gone"))
  }

  private static func persons(_ scene: Scene) -> Traces {
    let user = FakePortalUser.ada
    var traces = Traces()
    traces.add("label", text: label)
    traces.add("address", text: user.emailAddress)
    traces.add("password", text: user.password)
    traces.add("job", text: "Analyst of \u{201C}Engines\u{201D} & M\u{FC}hlen")
    for secret in scene.portal.secretsIssued where secret.utf8.count > 11 {
      traces.add("secret", text: secret)
    }
    return traces
  }

  /// Ada with all that the book can know of her, and Ben.
  private static func populate(_ scene: Scene) throws {
    scene.portal.change(FakePortalUser.ada.userID) {
      $0.jobTitle = "Analyst of \u{201C}Engines\u{201D} & M\u{FC}hlen"
    }
    try scene.logIn(.ada, label: "first", mode: "cookie", "--save-credentials")
    try scene.run("rename", "first", label)
    try scene.logInForTokens(["--save-credentials"])
    try scene.expire()
    try scene.logIn(.ben, label: "ben")
    try scene.run("switch", label)
    try scene.run("restore")
  }

  @Test func `an erased person is in no file of the book, and in no output`() throws {
    let scene = try Scene()
    try Self.populate(scene)
    let folder = "\(scene.folder)/data"
    let blobs = try Self.blobs(scene)
    var keys = Traces()
    for (name, bytes) in blobs { keys.add(name, bytes: bytes) }
    // The search finds them as long as they are there.
    #expect(try keys.found(under: folder).count >= blobs.count)
    let id = try Self.id(scene, Self.label)
    let erased = try scene.run("erase", Self.label, "--yes", "--json")
    #expect(erased.exit == 0, "\(erased.errors)")
    #expect(erased.output.contains(#""wiped":true,"untold":0,"copies":[]"#), "\(erased.output)")
    #expect(try keys.found(under: folder) == [])
    let persons = Self.persons(scene)
    #expect(try persons.found(under: folder) == [])
    for line in [
      ["accounts", "--all"], ["whoami", "--account", id], ["show", "--account", id], ["log"],
      ["log", "--account", String(id.prefix(8))], ["why", "--account", id], ["sessions"],
      ["stats", "--by", "account"], ["findings"], ["report", "-o", "/dev/stdout"],
      ["export", "--format", "jsonl", "--with-personal"],
      ["export", "--format", "csv", "--with-personal"],
      ["export", "--format", "ocsf", "--with-personal"],
      ["export", "--format", "cloudevents", "--with-personal"],
      ["export", "--format", "jsonl", "--account", id, "--with-personal"],
      ["verify"], ["rebuild", "--check"], ["rebuild"], ["doctor"], ["restore", "--all"], ["sync"],
    ] {
      for more in [[], ["--json"]] {
        let ending = try scene.start(line + more).end()
        #expect([0, 3].contains(ending.exit), "\(line + more): \(ending.errors)")
        let shown = Array((ending.output + ending.errors).utf8)
        #expect(persons.found(in: shown) == [], "\(line + more)")
        if ["accounts", "show", "whoami"].contains(line[0]) {
          #expect(ending.output.contains("forgotten"), "\(line + more): \(ending.output)")
        }
      }
    }
    #expect(try keys.found(under: folder) == [])
    #expect(try scene.run("whoami", "--account", Self.label).exit == 2)
    #expect(
      try scene.run("export", "--format", "jsonl", "--account", id, "--with-personal").output
        .contains(#""personal":"forgotten""#))
  }

  @Test func `erasing twice is said, and a new login makes a new account`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let id = try Self.id(scene, "ada")
    #expect(try scene.run("erase", "ada", "--yes").exit == 0)
    #expect(try scene.run("whoami").exit == 3)
    let again = try scene.run("erase", id, "--yes", "--json")
    #expect(again.exit == 0, "\(again.errors)")
    #expect(again.output.contains(#""repeated":true"#), "\(again.output)")
    #expect(try scene.run("erase", "ada", "--yes").exit == 2)
    try scene.logIn(.ada, label: "ada")
    #expect(try Self.id(scene, "ada") != id)
    #expect(try scene.run("accounts", "--json").output.split(separator: "\n").count == 2)
  }

  @Test func `on a terminal the label is typed first`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    for (answer, exit) in [("adda", Int32(130)), ("ada", 0)] {
      let terminal = try PseudoTerminal()
      let child = try scene.start(
        ["erase", "ada"], ChildProcess.Streams(terminal: terminal.path))
      #expect(terminal.read(until: "type ada: ").hasSuffix("type ada: "))
      terminal.write(answer + "\n")
      _ = terminal.read(until: exit == 0 ? "Erased the account" : "not erased")
      terminal.drain()
      #expect(child.end().exit == exit)
      #expect(try scene.kinds().contains("account.erased") == (exit == 0))
    }
  }

  @Test func `a reader holds the wipe up, which is said, and the next command does it`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben")
    var keys = Traces()
    keys.add("wrapped key", bytes: try #require(try Self.blobs(scene).first).bytes)
    let reader = try ReaderConnection.open(BookFile(path: scene.book))
    try reader.execute("BEGIN")
    #expect(try reader.integer("SELECT count(*) FROM account") == 2)
    let erased = try scene.run("erase", "ada", "--yes", "--json")
    #expect(erased.exit == 0, "\(erased.errors)")
    #expect(erased.output.contains(#""wiped":false"#), "\(erased.output)")
    #expect(try !keys.found(under: "\(scene.folder)/data").isEmpty)
    let pending = try scene.run("doctor")
    #expect(pending.exit == 0, "\(pending.output)")
    #expect(pending.output.contains("the write-ahead log"), "\(pending.output)")
    try reader.execute("COMMIT")
    #expect(try scene.run("rename", "ben", "b").exit == 0)
    #expect(try keys.found(under: "\(scene.folder)/data").isEmpty)
    #expect(try !scene.run("doctor").output.contains("the write-ahead log"))
  }

  @Test func `a renewal under way in another process ends with a clear error`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    try scene.expire()
    let sent = scene.refreshCount
    let door = Door()
    defer { door.open() }
    scene.portal.inject(door.fault, on: .token)
    let child = try scene.startToken(["--wait", "60"])
    try scene.wait(forRefreshes: sent + 1)
    let erased = try scene.run(
      "erase", FakePortalUser.ada.emailAddress + "@127.0.0.1", "--yes", "--json")
    #expect(erased.exit == 0, "\(erased.errors)")
    door.open()
    let late = child.end()
    #expect([1, 3].contains(late.exit), "\(late.exit) \(late.errors)")
    #expect(late.output.isEmpty)
    #expect(late.errors.contains("erased"), "\(late.errors)")
    #expect(try scene.kinds().last == "account.switched")
    #expect(try scene.run("verify").exit == 0)
    #expect(try scene.run("rebuild", "--check").exit == 0)
  }

  @Test func `an erase that is killed during the server's logout is completed by the next one`()
    throws
  {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    scene.portal.inject(.stallBeforeActing, on: .logout)
    let child = try scene.start(["erase", "ada", "--yes"])
    try scene.wait(for: "logout.requested", after: 0)
    child.signal(SIGKILL)
    #expect(child.end().exit == -SIGKILL)
    // Logged out, and nothing worse.
    let account = try scene.run("whoami", "--account", "ada", "--json").output
    #expect(account.contains(#""state":"ended","reason":"user""#), "\(account)")
    let erased = try scene.run("erase", "ada", "--yes", "--json")
    #expect(erased.exit == 0, "\(erased.errors)")
    #expect(erased.output.contains(#""wiped":true"#))
    #expect(try scene.run("accounts", "--json").output.contains(#""reason":"erased""#))
    #expect(try scene.run("verify").exit == 0)
  }

  private static var hasTerminal: Bool {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return false }
    close(terminal)
    return true
  }

  @Test(.enabled(if: !EraseTests.hasTerminal, "the tests were started on a terminal"))
  func `without a terminal nobody is erased by accident`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    // As the child of a session of its own it has no terminal to open.
    let line = ["erase", "ada", "--json"]
    let ending = try scene.start(line).end()
    #expect(ending.exit == 2)
    #expect(ending.errors.contains("--yes"), "\(ending.errors)")
    #expect(try !scene.kinds().contains("logout.requested"))
  }
}
