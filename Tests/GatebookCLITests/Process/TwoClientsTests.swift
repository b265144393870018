internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// One user at one server by two clients, as people see it.
struct TwoClientsTests {
  @Test func `two clients are two accounts: their name is ambiguous, and erase names the other`()
    throws
  {
    let server = try FakeIdentityServer()
    server.settings.otherClientIDs = ["files"]
    try server.start()
    defer { server.stop() }
    let scene = try Scene()
    for client in [FakeIdentityServer.clientID, "files"] {
      let login = try scene.start(
        [
          "login", "oauth2", "--token-url", server.url + "/token", "--userinfo-url",
          server.url + "/me", "--client-id", client, "--flow", "password", "--user",
          FakeIdentityServer.user, "--password-stdin", "--label", "by-\(client)",
        ], ChildProcess.Streams(input: FakeIdentityServer.password + "\n")
      ).end()
      #expect(login.exit == 0, "\(login.errors)")
    }
    let accounts = try scene.run("accounts", "--json").output
    #expect(accounts.contains(#""client":"app""#) && accounts.contains(#""client":"files""#))
    let name = "\(FakeIdentityServer.user)@127.0.0.1"
    let ambiguous = try scene.run("whoami", "--account", name)
    #expect(ambiguous.exit == 2, "\(ambiguous.errors)")
    #expect(try scene.run("whoami", "--account", "by-files").output.contains("files"))
    let erasure = try scene.run("erase", "by-app", "--yes")
    #expect(erasure.exit == 0, "\(erasure.errors)")
    #expect(erasure.errors.contains("by-files by the client files"), "\(erasure.errors)")
    #expect(try scene.run("whoami", "--account", name).exit == 0)
  }
}
