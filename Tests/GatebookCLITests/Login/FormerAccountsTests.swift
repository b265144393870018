internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// What a login and a logout change besides the session of their account.
struct FormerAccountsTests {
  private let scene: Scene
  private let server: LoopbackServer

  init() throws {
    scene = try Scene()
    server = try PlainServer.start()
  }

  private func logIn(at path: String) throws -> String {
    let login = try scene.run(
      "login", "http", "--url", server.url + path, "--user", PlainServer.user, "--password-stdin",
      input: PlainServer.password + "\n")
    try #require(login.exit == 0, "\(login.errors)")
    return login.errors
  }

  @Test func `who is current now is said, and who was`() throws {
    defer { server.stop() }
    #expect(try !logIn(at: "/private/").contains("current account"))
    let ada = try scene.logIn(.ada, label: "ada").errors
    #expect(ada.contains("ada is now the current account; before it was "), "\(ada)")
    #expect(try !scene.logIn(.ada).errors.contains("current account"))
    let logout = try scene.run("logout").errors
    #expect(logout.contains("is now the current account."), "\(logout)")
    #expect(try !scene.run("logout").errors.contains("current account"))
  }

  @Test func `a login at another page of the server says what it replaces`() throws {
    defer { server.stop() }
    _ = try logIn(at: "/private/")
    #expect(try !logIn(at: "/private/").contains("replaces"))
    let errors = try logIn(at: "/private/notes")
    #expect(errors.contains("logged in at \(server.url)/private/ before"), "\(errors)")
  }
}
