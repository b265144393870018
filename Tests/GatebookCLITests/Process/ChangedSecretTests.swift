internal import CSQLite
internal import Gatebook
internal import GatebookTestSupport
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
    #expect(some.errors.contains("does not open"), "\(some.errors)")
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

  private func lines(_ text: String) -> Int { text.split(separator: "\n").count }
}
