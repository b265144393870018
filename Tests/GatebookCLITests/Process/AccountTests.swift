internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// How accounts are named on the command line.
struct AccountTests {
  @Test func `an account is found by label, id, beginning of the id, and user@host`() throws {
    let scene = try Scene()
    try scene.populate()
    let contexts = try BookReader.open(at: scene.book).accounts()
    let id = try #require(contexts.first).account.description
    let names = [
      "ada", id, id.uppercased(), String(id.prefix(12)),
      "\(FakePortalUser.ada.emailAddress)@127.0.0.1",
      "\(FakePortalUser.ada.emailAddress)@127.0.0.1:\(scene.portal.port)",
    ]
    for name in names {
      let ending = try scene.run("whoami", "--json", "--account", name)
      #expect(ending.output.contains(id), "\(name)")
    }
    for name in ["a", "zz", "ADA", "ada@127.0.0.1", ""] {
      #expect(try scene.run("whoami", "--account", name).exit == 2, "\(name)")
    }
  }

  @Test func `one person at two servers is named with the port`() throws {
    let scene = try Scene()
    let other = try FakeLiferayPortal(seed: 11)
    try other.start()
    defer { other.stop() }
    try scene.logIn(.ada)
    try scene.run(
      "login", "liferay", "--server", other.url, "--company-id", "10154", "--user",
      FakePortalUser.ada.emailAddress, "--password-stdin",
      input: FakePortalUser.ada.password + "\n")
    let name = FakePortalUser.ada.emailAddress + "@127.0.0.1"
    let ending = try scene.run("switch", name)
    #expect(ending.exit == 2)
    #expect(ending.errors.contains("matches 2 accounts"))
    #expect(try scene.run("switch", "\(name):\(scene.portal.port)").exit == 0)
  }

  @Test(arguments: ["123", "", "٣"])
  func `a label is never digits alone`(_ label: String) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("rename", "ada", label).exit == 2)
    #expect(try scene.run("whoami", "--json").output.contains(#""label":"ada""#))
  }

  @Test func `logging the current account out makes the last used other one current`() throws {
    let scene = try Scene()
    try scene.populate()
    #expect(try scene.run("switch", "ada").exit == 0)
    #expect(try scene.run("logout").exit == 0)
    #expect(try scene.run("whoami", "--json").output.contains(#""label":"cleo""#))
    #expect(try scene.run("request", scene.portal.url + "/", "--account", "ada").exit == 3)
  }

  @Test func `log names the server of a failed login, and the user whom the book knows`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let (ada, ben) = (FakePortalUser.ada.emailAddress, FakePortalUser.ben.emailAddress)
    for user in [ada, ben] {
      let failed = try scene.run(
        "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user", user,
        "--password-stdin", input: "wrong\n")
      #expect(failed.exit == 3, "\(failed.errors)")
    }
    let rows = try scene.run("log", "--kind", "login.failed").output.split(separator: "\n")
      .dropFirst()
    try #require(rows.count == 2)
    for row in rows { #expect(row.contains("server=\(scene.portal.url)"), "\(row)") }
    #expect(rows.count { $0.contains("user=\(ada)") } == 1, "\(rows)")
    #expect(!rows.contains { $0.contains(ben) }, "\(rows)")
    #expect(!rows.contains { $0.contains("…") }, "\(rows)")
    let sealed = try scene.run("log", "--kind", "login.failed", "--key", "none").output
    #expect(sealed.contains("server=\(scene.portal.url)"))
    #expect(!sealed.contains(ada))
  }
}
