internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// `gatebook login URL`: the server says how to log in.
struct ServerLoginTests {
  @Test(arguments: ["", "/", "/deep/page", "/.well-known/openid-configuration"])
  func `a server of OpenID Connect is found by any of its addresses`(_ path: String) throws {
    let (scene, server) = (try Scene(), try FakeIdentityServer())
    try server.start()
    defer { server.stop() }
    let login = try scene.run(
      "login", server.url + path, "--client-id", FakeIdentityServer.clientID, "--flow", "password",
      "--password-stdin", input: "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n")
    #expect(login.exit == 0, "\(login.errors)")
    #expect(login.errors.contains("gatebook login oidc --issuer \(server.url)"), "\(login.errors)")
    #expect(try scene.onlyAccount().state == "active")
    #expect(try scene.askedLogin().starts(with: ["login", "oidc", "--issuer", server.url]))
  }

  @Test func `HTTP authentication is found by its challenge`() throws {
    let (scene, server) = (try Scene(), try PlainServer.start())
    defer { server.stop() }
    let login = try scene.run(
      "login", server.url + "/private/", "--user", PlainServer.user, "--password-stdin",
      input: PlainServer.password + "\n")
    #expect(login.exit == 0, "\(login.errors)")
    #expect(login.errors.contains("(Basic)"), "\(login.errors)")
    #expect(try scene.askedLogin().contains(server.url + "/private/"))
  }

  @Test func `a login form is found through the page that it protects`() throws {
    let (scene, server) = (try Scene(), try PlainServer.start())
    defer { server.stop() }
    let login = try scene.run(
      "login", server.url + "/shop/", "--user", PlainServer.user, "--password-stdin",
      input: PlainServer.password + "\n")
    #expect(login.exit == 0, "\(login.errors)")
    let asked = try scene.askedLogin()
    #expect(asked.starts(with: ["login", "form", "--url", server.url + "/dologin"]), "\(asked)")
    #expect(asked.contains(server.url + "/shop/"), "\(asked)")
  }

  @Test func `where nothing says how to log in, nothing is recorded and the ways are named`() throws
  {
    let (scene, server) = (try Scene(), try PlainServer.start())
    defer { server.stop() }
    let login = try scene.run("login", server.url + "/open/")
    #expect(login.exit == 1, "\(login.errors)")
    #expect(login.errors.contains("`oidc`"), "\(login.errors)")
    #expect(try scene.run("whoami").exit == 7)
  }

  @Test func `an unreachable server is an error, and nothing is recorded`() throws {
    let scene = try Scene()
    let login = try scene.run("login", "http://127.0.0.1:9/")
    #expect(login.exit == 4, "\(login.errors)")
    #expect(login.errors.contains("Nothing was recorded."), "\(login.errors)")
    #expect(try scene.run("whoami").exit == 7)
  }

  @Test func `without a terminal nothing is asked, and what is missing is named`() throws {
    let (scene, server) = (try Scene(), try FakeIdentityServer())
    try server.start()
    defer { server.stop() }
    let login = try scene.run("login", server.url)
    #expect(login.exit == 2)
    #expect(login.errors.contains("`--client-id` is missing."), "\(login.errors)")
    #expect(
      login.errors.contains("Run `gatebook login oidc --issuer \(server.url) --client-id I`."),
      "\(login.errors)")
    let bare = try scene.run("login")
    #expect(bare.exit == 2)
    let two = try scene.run("login", server.url, "--account", "ada")
    #expect(two.exit == 2)
  }

  @Test(arguments: [
    ("/private/", "gatebook login http --url %/private/ --password-stdin --user U"),
    (
      "/shop/",
      "gatebook login form --url %/dologin --user-field httpd_username --password-field httpd_password --check %/shop/ "
        + "--password-stdin --user U"
    ),
  ])
  func `a password from a pipe needs the user's name, and the whole command is printed`(
    _ path: String, _ line: String
  ) throws {
    let (scene, server) = (try Scene(), try PlainServer.start())
    defer { server.stop() }
    let login = try scene.run(
      "login", server.url + path, "--password-stdin", input: PlainServer.password + "\n")
    #expect(login.exit == 2)
    let command = line.replacing("%", with: server.url)
    #expect(login.errors.contains("`--user` is missing."), "\(login.errors)")
    #expect(login.errors.contains("Run `\(command)`."), "\(login.errors)")
    #expect(try scene.run("whoami").exit == 7)
  }

  @Test func `on a terminal it asks for what is missing, and a menu offers the accounts`()
    async throws
  {
    let (scene, server) = (try Scene(), try PlainServer.start())
    defer { server.stop() }
    let first = try await scene.paste(
      "gatebook login \(server.url)/private/", typing: [PlainServer.user, PlainServer.password])
    #expect(first.exit == 0, "\(first.shown)")
    let account = try scene.onlyAccount().id
    #expect(try scene.run("logout").exit == 0)
    let again = try await scene.paste("gatebook login", typing: ["1", PlainServer.password])
    #expect(again.exit == 0, "\(again.shown)")
    #expect(again.shown.contains("Number or address"), "\(again.shown)")
    #expect(try scene.onlyAccount() == Scene.OnlyAccount(id: account, state: "active"))
  }
}
