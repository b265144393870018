internal import CSQLite
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// What `doctor` says of encrypted data: the same as `verify`, and what to do about it.
struct SealedDoctorTests {
  private func change(_ book: String, _ statement: String) throws {
    let connection = try Connection.open(book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute(statement)
    try #require(try connection.integer("SELECT changes()") > 0)
  }

  @Test func `no account is to log in again in an archive`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let archive = "\(scene.folder)/past.gatebook"
    try #require(try scene.run("archive", "-o", archive).exit == 0)
    #expect(try scene.run("doctor", "--offline", "--book", archive).exit == 0)
    try change(
      archive, "UPDATE vault SET sealed = zeroblob(length(sealed)) WHERE purpose = 'session'")
    #expect(try scene.run("verify", "--book", archive).exit == 5)
    let doctor = try scene.run("doctor", "--offline", "--book", archive)
    #expect(doctor.exit == 1)
    #expect(
      doctor.output.contains("bad   secrets: Secrets of ada were changed"), "\(doctor.output)")
    #expect(doctor.output.contains("use another copy of the archive"), "\(doctor.output)")
    #expect(!doctor.output.contains("Log in again"), "\(doctor.output)")
  }

  @Test func `secrets that a recovery did not find are no damage`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try change(scene.book, "DELETE FROM vault WHERE purpose = 'session'")
    for command in [["verify"], ["doctor", "--offline"]] {
      #expect(try scene.start(command).end().exit != 0, "\(command)")
    }
    let new = "\(scene.folder)/new.gatebook"
    try #require(try scene.run("recover", "-o", new).exit == 0)
    #expect(try scene.run("verify", "--book", new).exit == 0)
    let doctor = try scene.run("doctor", "--offline", "--book", new)
    #expect(doctor.exit == 0, "\(doctor.output)")
    #expect(doctor.output.contains("ok    secrets: "), "\(doctor.output)")
  }

  @Test func `an older state of a session's secret is found, and a login replaces it`() throws {
    let scene = try Scene()
    try scene.logIn(.ben, label: "ben", mode: "cookie")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute(
      "CREATE TEMP TABLE kept AS SELECT * FROM main.vault WHERE purpose = 'session'")
    try #require(try scene.run("refresh", "--account", "ben").exit == 0)
    #expect(try scene.run("doctor", "--offline").exit == 0)
    try connection.execute("INSERT OR REPLACE INTO main.vault SELECT * FROM kept")
    #expect(try scene.run("verify").exit == 5)
    let doctor = try scene.run("doctor", "--offline")
    #expect(doctor.exit == 1)
    #expect(
      doctor.output.contains("bad   secrets: The session secrets of ben were replaced"),
      "\(doctor.output)")
    try scene.logIn(.ben, label: "ben", mode: "cookie")
    #expect(try scene.run("doctor", "--offline").exit == 0)
  }

  @Test(arguments: [
    (
      "INSERT INTO document (name, fresh, sealed) VALUES (zeroblob(32), 0, zeroblob(40))",
      "bad   documents: The copy of a document"
    ),
    (
      """
      INSERT INTO attempt (session, deadline, key, sealed)
      VALUES (zeroblob(16), 9000000000000000, zeroblob(61), zeroblob(40))
      """, "bad   waiting logins: The data of a waiting login"
    ),
    (
      "INSERT INTO account_lookup (hash, account) VALUES (zeroblob(32), 99)",
      "bad   lookups: 1 lookups lead to accounts"
    ),
    (
      "UPDATE account SET key = zeroblob(length(key))",
      "bad   account keys: The key of "
    ),
  ])
  func `what verify finds with the key is found`(_ statement: String, _ line: String) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("doctor", "--offline").exit == 0)
    try change(scene.book, statement)
    #expect(try scene.run("verify").exit == 5)
    let doctor = try scene.run("doctor", "--offline")
    #expect(doctor.exit == 1)
    #expect(doctor.output.contains(line), "\(doctor.output)")
    let hidesSecrets = line.contains("account keys")
    #expect(doctor.output.contains("ok    secrets: ") == !hidesSecrets, "\(doctor.output)")
    #expect(try scene.run("doctor", "--offline", "--key", "none").exit == 0)
  }
}
