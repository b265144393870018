internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// `gatebook login A`: the last login once more.
struct LoginAgainTests {
  @Test(arguments: [
    ["login", "ada"], ["login", "--account", "ada"], ["--account", "ada", "login"],
  ])
  func `a login that names an account asks for its password alone`(_ line: [String]) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    let before = (try scene.onlyAccount().id, try scene.askedLogin())
    #expect(try scene.run("logout").exit == 0)
    let again = try scene.start(
      line + ["--password-stdin"], ChildProcess.Streams(input: FakePortalUser.ada.password + "\n")
    ).end()
    #expect(again.exit == 0, "\(again.errors)")
    #expect(try scene.onlyAccount() == Scene.OnlyAccount(id: before.0, state: "active"))
    #expect(try scene.askedLogin() == before.1)
  }

  @Test func `given options replace those of the last login`() throws {
    let scene = try Scene()
    let password = FakePortalUser.ada.password + "\n"
    try scene.logIn(.ada, label: "ada", mode: "cookie", "--timeout", "20")
    #expect(try scene.askedLogin().suffix(2) == ["--timeout", "20"])
    let again = try scene.run(
      "login", "ada", "--timeout", "30", "--offline-limit", "90", "--password-stdin",
      input: password)
    #expect(again.exit == 0, "\(again.errors)")
    let asked = try scene.askedLogin()
    #expect(asked.suffix(4) == ["--offline-limit", "90", "--timeout", "30"], "\(asked)")
    let stray = try scene.run("login", "ada", "--scopes", "mail")
    #expect(stray.exit == 2)
    #expect(stray.errors.contains("`--scopes`"), "\(stray.errors)")
  }

  @Test func `the label of another account is no login method, and a misspelled method is named`()
    throws
  {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let meant = try scene.run("login", "oicd")
    #expect(meant.exit == 2)
    #expect(meant.errors.contains("Did you mean `gatebook login oidc`?"), "\(meant.errors)")
    let nobody = try scene.run("login", "nobody")
    #expect(nobody.exit == 2)
    #expect(nobody.errors.contains("Unknown account `nobody`."), "\(nobody.errors)")
    for command in LoginCommand.methods {
      let taken = try scene.run("rename", "ada", command)
      #expect(taken.exit == 2, "\(command)")
      #expect(taken.errors.contains("login method"), "\(taken.errors)")
    }
  }

  @Test func `an account that was erased is not logged in again`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let id = try scene.onlyAccount().id
    #expect(try scene.run("erase", "ada", "--yes").exit == 0)
    let again = try scene.run("login", id)
    #expect(again.exit == 3)
    #expect(again.errors.contains("was erased"), "\(again.errors)")
  }
}
