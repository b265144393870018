internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// Logins at the web application before a gateway.
struct GatewayLoginTests {
  @Test func `a gateway's session begins and ends`() throws {
    let scene = try Scene()
    let gateway = try FakeGateway()
    try gateway.start()
    defer { gateway.stop() }
    let header = try scene.secretFile("X-Key: canary-key\n")
    let user = FakeGatewayUser.ada
    let line = [
      "login", "fcsdk", "--server", gateway.url, "--user", user.username, "--password-stdin",
      "--json", "--header",
    ]
    let ending = try scene.start(
      line + ["@" + header], ChildProcess.Streams(input: user.password + "\n")
    ).end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""method":"fcsdk""#))
    #expect(gateway.requests(to: .login).first?.request.fields["X-Key"] == "canary-key")
    #expect(try !scene.run("log", "--json").output.contains("canary"))
    let whoami = try scene.run("whoami", "--json").output
    #expect(whoami.contains(#""voiceUser":"1001""#))
    #expect(try scene.run("logout").exit == 0)
    #expect(gateway.requests(to: .logout).count == 1)
  }

  @Test(arguments: ["no colon", "Host: x", "@/none/such"])
  func `an invalid header is an error before anything is sent`(_ header: String) throws {
    let scene = try Scene()
    let ending = try scene.run(
      "login", "fcsdk", "--server", "https://127.0.0.1:9", "--user", "ada", "--header", header)
    #expect(ending.exit == (header.hasPrefix("@") ? 1 : 2), "\(ending.errors)")
  }

  @Test func `a wrong password is 3`() throws {
    let scene = try Scene()
    let gateway = try FakeGateway()
    try gateway.start()
    defer { gateway.stop() }
    let ending = try scene.run(
      "login", "fcsdk", "--server", gateway.url, "--user", "ada", "--password-stdin",
      input: "canary\n")
    #expect(ending.exit == 3)
    #expect(!ending.errors.contains("canary"))
  }
}
