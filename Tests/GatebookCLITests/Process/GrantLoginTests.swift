internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Logins whose client has a secret.
struct GrantLoginTests {
  private let client = FakePortalApplication.confidential

  private func line(_ scene: Scene, _ mode: String, _ more: [String] = []) -> [String] {
    [
      "login", "liferay", "--server", scene.portal.url, "--mode", mode, "--client-id",
      client.clientID, "--user", FakePortalUser.ada.emailAddress, "--password-stdin", "--json",
    ] + more
  }

  @Test(arguments: ["oauth2-password", "OAuth2-Password"])
  func `name, password and a secret from a file log in`(_ mode: String) throws {
    let scene = try Scene()
    let file = try scene.secretFile((client.secret ?? "") + "\n")
    let ending = try scene.start(
      line(scene, mode, ["--client-secret-file", file, "--scopes", "everything.read"]),
      ChildProcess.Streams(input: FakePortalUser.ada.password + "\n")
    ).end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""method":"liferay-oauth2-password""#))
    #expect(scene.portal.requests.first?.request.formValue("scope") == "everything.read")
  }

  @Test func `the secret is asked for after the password`() throws {
    let scene = try Scene()
    let input = "\(FakePortalUser.ada.password)\n\(client.secret ?? "")\n"
    let ending = try scene.start(
      line(scene, "oauth2-password"), ChildProcess.Streams(input: input)
    ).end()
    #expect(ending.exit == 0, "\(ending.errors)")
  }

  @Test func `a secret that others can read is refused before anything is sent`() throws {
    let scene = try Scene()
    let file = try scene.secretFile("canary-secret\n")
    for mode in [0o640, 0o604] as [mode_t] {
      chmod(file, mode)
      let ending = try scene.start(
        line(scene, "oauth2-password", ["--client-secret-file", file]),
        ChildProcess.Streams(input: "x\n")
      ).end()
      #expect(ending.exit == 1)
      #expect(ending.errors.contains("by others"))
      #expect(!ending.errors.contains("canary"))
    }
    #expect(scene.portal.requests.isEmpty)
  }

  @Test func `OAuth 1.0a logs in to any service and signs requests`() async throws {
    let scene = try Scene()
    let server = try SignedPage.start()
    defer { server.stop() }
    let file = try scene.secretFile(SignedPage.consumerSecret + "\n")
    let child = try scene.start([
      "login", "oauth1", "--request-url", server.url + "/request", "--authorize-url",
      server.url + "/authorize", "--access-url", server.url + "/access", "--consumer-key", "app",
      "--signature", "PLAINTEXT", "--client-secret-file", file, "--check", server.url + "/me",
      "--user", "ada", "--no-browser", "--json",
    ])
    #expect(try child.page() == server.url + "/authorize?oauth_token=temporary")
    let callback = try #require(SignedPage.callback(server))
    let visit = try await PortalVisitor(.ada).visit(
      callback + "?oauth_token=temporary&oauth_verifier=verifier")
    #expect(visit == .page(status: 200))
    let ending = child.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""method":"oauth1""#))
    #expect(ending.output.contains(#""user":"ada""#))
    #expect(try scene.run("request", server.url + "/me").output == "You are signed.\n")
  }

  @Test func `RSA-SHA1 needs a key in a file`() throws {
    let scene = try Scene()
    let urls = ["--request-url", "--authorize-url", "--access-url", "--check"].flatMap {
      [$0, "http://127.0.0.1:9/"]
    }
    let line =
      ["login", "oauth1", "--consumer-key", "app", "--signature", "rsa-sha1", "--user", "ada"]
      + urls
    #expect(try scene.start(line).end().exit == 2)
    let file = try scene.secretFile("canary, no PEM\n")
    let ending = try scene.start(line + ["--client-secret-file", file]).end()
    #expect(ending.exit == 1)
    #expect(!ending.errors.contains("canary"))
  }
}
