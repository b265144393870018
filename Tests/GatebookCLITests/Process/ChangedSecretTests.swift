internal import CSQLite
internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// Commands on a book with a secret that was changed.
struct ChangedSecretTests {
  @Test func `one account's secret that does not open keeps no other from being resumed`() throws {
    let scene = try Scene()
    try scene.populate()
    let all = try scene.run("restore", "--all", "--json")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute(
      """
      UPDATE vault SET sealed = zeroblob(80)
      WHERE purpose = 'session' AND account = (SELECT min(account) FROM vault WHERE purpose = 'session')
      """)
    let some = try scene.run("restore", "--all", "--json")
    #expect(some.exit == 5, "\(some.errors)")
    #expect(lines(some.output) == lines(all.output))
    #expect(some.errors.contains("cannot be decrypted"), "\(some.errors)")
  }

  @Test func `a verifier that does not open keeps no other from being resumed`() throws {
    let scene = try Scene()
    try scene.populate()
    let all = try scene.run("restore", "--all", "--json")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute(
      """
      INSERT OR REPLACE INTO vault
      SELECT min(account), 'offline', 1, zeroblob(80) FROM vault WHERE purpose = 'session'
      """)
    let some = try scene.run(
      "restore", "--all", "--json", "--password-stdin",
      input: "skipped\n\(FakePortalUser.ben.password)\n")
    #expect(some.exit == 5, "\(some.errors)")
    #expect(lines(some.output) == lines(all.output), "\(some.output)\(some.errors)")
  }

  @Test func `a login that is led to another user's account is refused`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben")
    let before = try scene.run("accounts", "--json").output
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("UPDATE account_lookup SET account = 3 - account WHERE account < 3")
    let doctor = try scene.run("doctor", "--offline")
    #expect(doctor.output.contains("to other accounts"), "\(doctor.output)")
    let refused = try scene.run(
      "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user",
      FakePortalUser.ada.emailAddress, "--password-stdin",
      input: FakePortalUser.ada.password + "\n")
    #expect(refused.exit == 8, "\(refused.errors)")
    let after = try scene.run("accounts", "--json").output
    #expect(lines(after) == lines(before))
    #expect(try scene.run("log", "--json").output.contains("identity.mismatch"))
  }

  @Test func `another account's events say nothing of whose an account is`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    let added = """
      (SELECT position FROM event e WHERE e.account = 3 - account_state.account
       AND kind = (SELECT number FROM kind WHERE name = 'account.added'))
      """
    try connection.execute(
      """
      UPDATE account_lookup SET account = 3 - account WHERE account < 3;
      UPDATE account_state SET state = json_set(state, '$.added', \(added), '$.person', \(added))
      """)
    let refused = try scene.run(
      "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user",
      FakePortalUser.ada.emailAddress, "--password-stdin",
      input: FakePortalUser.ada.password + "\n")
    #expect(refused.exit == 8, "\(refused.errors)")
  }

  @Test(arguments: [
    "DELETE FROM account_lookup",
    "UPDATE account_lookup SET account = 3 - account WHERE account < 3",
    "UPDATE account_lookup SET account = 99 WHERE account = 1",
  ])
  func `what leads to an account says nothing of whose its session is`(_ change: String) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben", mode: "cookie")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute(change)
    for account in ["ada", "ben"] {
      #expect(try scene.run("sync", "--account", account).exit == 0)
    }
    #expect(try scene.run("refresh", "--account", "ben").exit == 0)
    #expect(try !scene.run("log", "--json").output.contains("identity.mismatch"))
  }

  @Test func `a lookup without an account is reported, and so is a new account without one`() throws
  {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let login = [
      "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user",
      FakePortalUser.ada.emailAddress, "--password-stdin",
    ]
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("UPDATE account_lookup SET account = 99")
    let refused = try scene.start(
      login, ChildProcess.Streams(input: FakePortalUser.ada.password + "\n")
    ).end()
    #expect(refused.exit == 8, "\(refused.errors)")
    try connection.execute("DELETE FROM account_lookup")
    let made = try scene.start(
      login, ChildProcess.Streams(input: FakePortalUser.ada.password + "\n")
    ).end()
    #expect(made.exit == 0, "\(made.errors)")
    #expect(try scene.run("doctor", "--offline").output.contains("to other accounts") == false)
  }

  @Test func `whose an account is, its last login says where its first event is lost`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute(
      """
      DROP TRIGGER event_is_never_deleted;
      DELETE FROM event WHERE kind = (SELECT number FROM kind WHERE name = 'account.added');
      UPDATE account_lookup SET account = 3 - account WHERE account < 3
      """)
    let new = "\(scene.folder)/new.gatebook"
    #expect(try scene.run("recover", "-o", new).exit == 0)
    let refused = try scene.run(
      "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user",
      FakePortalUser.ada.emailAddress, "--password-stdin", "--book", new,
      input: FakePortalUser.ada.password + "\n")
    #expect(refused.exit == 8, "\(refused.errors)")
  }

  @Test func `one account's key that does not open keeps no other from being used`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute(
      "UPDATE account SET key = zeroblob(length(key)) WHERE number = 1")
    for command in [["accounts"], ["sessions"], ["log"], ["stats"], ["sync", "--account", "ben"]] {
      let ending = try scene.start(command).end()
      #expect(ending.exit == 0, "\(command): \(ending.errors)")
    }
    let new = "\(scene.folder)/new.gatebook"
    let recovered = try scene.run("recover", "-o", new, "--json")
    #expect(!recovered.output.contains(#""keysLost":[]"#), "\(recovered.output)\(recovered.errors)")
    let again = try scene.start(
      [
        "--book", new, "login", "liferay", "--server", scene.portal.url, "--company-id", "10154",
        "--user", FakePortalUser.ada.emailAddress, "--password-stdin",
      ], ChildProcess.Streams(input: FakePortalUser.ada.password + "\n")
    ).end()
    #expect(again.exit == 0, "\(again.errors)")
    #expect(try scene.run("--book", new, "sync", "--account", "ben").exit == 0)
  }

  private func lines(_ text: String) -> Int { text.split(separator: "\n").count }
}
