internal import CSQLite
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// `why` says that nothing needs to be done only where it has looked.
struct WhyChecksTests {
  @Test(arguments: [
    (
      "DELETE FROM vault WHERE purpose = 'session'",
      "the secret of its session is missing from the book", "logIn"
    ),
    (
      "UPDATE vault SET sealed = zeroblob(length(sealed)) WHERE purpose = 'session'",
      "the secret of its session was changed in the book", "logIn"
    ),
    (
      "UPDATE account SET key = NULL", "its key is missing from the book", "restoreBook"
    ),
  ])
  func `a session with a lost secret is reported with a remedy`(
    _ damage: String, _ told: String, _ advice: String
  ) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("why").output.contains("nothing needs to be done"))
    try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE).execute(damage)
    let why = try scene.run("why")
    #expect(why.exit == 0)
    #expect(why.output.contains(told), "\(why.output)")
    #expect(!why.output.contains("nothing needs to be done"), "\(why.output)")
    #expect(try scene.run("why", "--json").output.contains(#""advice":"\#(advice)""#))
    // Nobody has used the session: the events are as before, and tell the same of the account now.
    let position = try #require(try scene.kinds().firstIndex(of: "login.succeeded")) + 1
    let login = try scene.run("why", "\(position)")
    #expect(!login.output.contains("nothing needs to be done"), "\(login.output)")
    guard advice == "logIn" else { return }
    try scene.logIn(.ada)
    #expect(try scene.run("why").output.contains("nothing needs to be done"))
  }

  @Test func `an account whose session has lost its secret does not become the current one`() throws
  {
    let scene = try Scene()
    try scene.logIn(.ben, label: "ben")
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("switch", "--account", "ada").exit == 0)
    try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
      .execute("DELETE FROM vault WHERE purpose = 'session' AND account = 1")
    let ending = try scene.run("switch", "--account", "ben")
    #expect(ending.exit == 3, "\(ending.errors)")
    #expect(
      ending.errors.contains("The current account is the same as before."), "\(ending.errors)")
    #expect(try scene.run("whoami").output.contains("ada"))
    let why = try scene.run("why", "--account", "ben").output
    #expect(why.contains("the secret of its session is missing from the book"), "\(why)")
    // The next use records the end, in words for people.
    _ = try scene.run("refresh", "--account", "ben")
    let accounts = try scene.run("accounts").output
    #expect(accounts.contains("needs login (its secret is missing)"), "\(accounts)")
  }

  @Test func `a session whose secret is missing is logged in again with what it has saved`() throws
  {
    let scene = try Scene()
    try scene.logIn(.ben, label: "ben", mode: "cookie", "--save-credentials")
    try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
      .execute("DELETE FROM vault WHERE purpose = 'session'")
    let why = try scene.run("why").output
    #expect(why.contains("`gatebook refresh --account ben` logs in again"), "\(why)")
    let refresh = try scene.run("refresh", "--account", "ben")
    #expect(refresh.exit == 0, "\(refresh.errors)")
    #expect(try scene.run("why").output.contains("nothing needs to be done"))
  }

  @Test func `what was saved and cannot be decrypted logs nobody in`() throws {
    let scene = try Scene()
    try scene.logIn(.ben, label: "ben", mode: "cookie", "--save-credentials")
    #expect(try scene.run("logout").exit == 0)
    #expect(try scene.run("why").output.contains("`gatebook refresh --account ben` logs in"))
    try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
      .execute("UPDATE vault SET sealed = zeroblob(length(sealed)) WHERE purpose = 'credentials'")
    let why = try scene.run("why").output
    #expect(why.contains("were changed in the book and cannot be decrypted"), "\(why)")
    #expect(!why.contains("gatebook refresh"), "\(why)")
  }

  @Test func `what cannot be checked without the key is said`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try !scene.run("why").output.contains("Not checked"))
    #expect(try !scene.run("why", "--json").output.contains("unchecked"))
    let keyless = try scene.run("why", "--key", "none")
    #expect(keyless.output.contains("Not checked: Without the book's key"), "\(keyless.output)")
    #expect(
      try scene.run("why", "--key", "none", "--json").output.contains(
        #""unchecked":"Without the book's key"#))
    // What needs no key is found without it.
    try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
      .execute("DELETE FROM vault WHERE purpose = 'session'")
    let missing = try scene.run("why", "--key", "none")
    #expect(missing.output.contains("is missing from the book"), "\(missing.output)")
    #expect(!missing.output.contains("Not checked"), "\(missing.output)")
  }

  @Test func `a missing key is reported until it is back`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let key = try scene.keyFile()
    try #require(rename(key, key + ".away") == 0)
    let why = try scene.run("why")
    #expect(why.output.contains("make the book's key available"), "\(why.output)")
    #expect(!why.output.contains("nothing needs to be done"), "\(why.output)")
    try #require(rename(key + ".away", key) == 0)
    #expect(try scene.run("why").output.contains("nothing needs to be done"))
  }

  /// Whether this machine lets a process mount a disk of its own.
  private static let mayMount: Bool = {
    (try? Daemon(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], [:]).end().exit == 0)
      ?? false
  }()

  @Test(.enabled(if: mayMount), arguments: [("1000k", true), ("100m", false)])
  func `a full disk is reported, and nothing is recorded on it`(
    _ size: String, _ isFull: Bool
  ) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let script = """
      mount -t tmpfs -o size=\(size) tmpfs /mnt && cp \(scene.book)* /mnt/ || exit 99
      \(try ChildProcess.program()) --book /mnt/sessions.gatebook why
      \(try ChildProcess.program()) --book /mnt/sessions.gatebook why --json
      \(try ChildProcess.program()) --book /mnt/sessions.gatebook doctor --offline
      """
    let ending = try Daemon(["unshare", "-rm", "sh", "-c", script], scene.environment).end()
    #expect(ending.exit == (isFull ? 1 : 0), "\(ending.output)")
    for text in [
      "The disk of the book is full: nothing can be recorded.",
      "Next: free space on the disk of the book", #""advice":"freeSpace""#, "bad   disk: ",
    ] {
      #expect(ending.output.contains(text) == isFull, "\(text): \(ending.output)")
    }
    #expect(ending.output.contains("nothing needs to be done") == !isFull, "\(ending.output)")
  }
}
