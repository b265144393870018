internal import Gatebook
internal import GatebookTestSupport
internal import Testing

@testable internal import GatebookCLI

/// Sessions that are renewed at once, and credentials that are forgotten.
struct RenewalTests {
  @Test func `a session with something to renew it is renewed at once`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    let ending = try scene.run("refresh", "--json")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""label":"ada""#))
    #expect(ending.errors.isEmpty)
    #expect(try scene.run("log", "--json").output.contains(#""kind":"refresh.succeeded""#))
    scene.portal.stop()
    #expect(try scene.run("refresh").exit == 4)
    #expect(try scene.run("restore").exit == 0)
  }

  @Test func `nothing to renew is said, and is 0`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let ending = try scene.run("refresh")
    #expect(ending.exit == 0)
    #expect(ending.errors == "There was nothing to renew.\n")
    #expect(try scene.run("logout").exit == 0)
    #expect(try scene.run("refresh").exit == 3)
  }

  @Test func `saved credentials are forgotten, the session goes on`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie", "--save-credentials")
    let ending = try scene.run("credentials", "remove", "--json")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""state":"active""#))
    #expect(ending.errors.isEmpty)
    #expect(try scene.run("log", "--json").output.contains(#""kind":"credentials.removed""#))
    let again = try scene.run("credentials", "remove")
    #expect(again.exit == 0)
    #expect(again.errors == "There were no saved credentials.\n")
  }

  @Test func `an account without a session logs in again with what it saved`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", "--save-credentials")
    let saved = "ada: What was saved can log it in again; `logout --forget` removes it.\n"
    #expect(try scene.run("logout").errors == saved)
    let ending = try scene.run("refresh", "--json")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""state":"active""#))
    #expect(try scene.run("logout", "--forget").errors.isEmpty)
    #expect(try scene.run("refresh").exit == 3)
  }

  @Test func `a token that must live longer does not press a server`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    scene.portal.inject(.status(429, retryAfter: 3600), on: .token, times: nil)
    let sent = scene.refreshCount
    for _ in 1...3 {
      let ending = try scene.run("token", "--min-lifetime", "9000")
      #expect(ending.exit == 4, "\(ending.errors)")
    }
    #expect(scene.refreshCount == sent + 1)
    #expect(try scene.run("token").output == (try scene.liveToken()))
    #expect(try scene.run("refresh").exit == 4)
    #expect(scene.refreshCount == sent + 2)
  }

  @Test func `all accounts and one account contradict each other`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("logout", "--all", "--account", "ada").exit == 2)
    #expect(try scene.run("whoami", "--json").output.contains(#""state":"active""#))
  }
}
