internal import Gatebook
internal import GatebookFakes
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

  /// What networks put in a server's place, until somebody has logged in to them.
  @Test(arguments: [
    LoopbackReply.html(page), LoopbackReply(content: .bytes(Array(" \n\(page)".utf8))),
    .html(page, status: 403), .html(page, status: 511),
    .redirect(to: "http://login.hotel.example/"),
  ])
  func `the page of a strange network in place of a renewal's answer is 4, with what helps`(
    _ reply: LoopbackReply
  ) throws {
    let scene = try Scene()
    try scene.logInForTokens()
    scene.portal.inject(.answer { _ in reply }, on: .token, times: nil)
    let ending = try scene.run("refresh")
    #expect(ending.exit == 4, "\(ending.errors)")
    #expect(ending.errors.contains("Open any page in a browser"), "\(ending.errors)")
    scene.portal.clearFaults()
    // The session is kept, and renewed as soon as the network lets it.
    #expect(try scene.run("token").exit == 0)
    #expect(try scene.run("refresh").exit == 0)
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

  @Test func `saved credentials are removed, the session continues`() throws {
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
    let saved =
      "ada: The saved credentials can log the account in again. `gatebook credentials remove --account "
      + "ada` removes them.\n"
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

  @Test(arguments: [400, 401, 403])
  func `a refusal by something in between does not switch the renewal off`(_ status: Int) throws {
    let scene = try Scene()
    try scene.logInForTokens()
    try scene.expire()
    scene.portal.inject(.page(status), on: .token, times: 2)
    for count in 1...2 {
      let ending = try scene.run("token")
      #expect(ending.exit == 4, "\(ending.errors)")
      let account = try scene.run("whoami", "--json").output
      #expect(account.contains(#""failedRenewals":\#(count)"#), "\(account)")
    }
    #expect(try scene.run("whoami").output.contains("renewal        failed 2 times"))
    let ending = try scene.run("token")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output == (try scene.liveToken()))
    #expect(try !scene.run("whoami", "--json").output.contains("failedRenewals"))
  }

  @Test func `sync says that a session which is over could not be renewed`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    try scene.expire()
    scene.portal.inject(.page(403), on: .token, times: 2)
    #expect(try scene.run("token").exit == 4)
    #expect(try scene.run("sync").exit == 4)
    let ending = try scene.run("sync", "--json")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""verified":[""#), "\(ending.output)")
  }

  @Test func `a refused refresh token ends the renewal, and the access token is used on`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    let token = try scene.run("token").output
    scene.portal.inject(
      .alter { _ in .json(#"{"error":"refresh_token_reused"}"#, status: 400) }, on: .token,
      times: nil)
    let refused = try scene.run("refresh")
    #expect(refused.exit == 3)
    #expect(
      refused.errors.contains("The session is kept: its access token is used until it expires"),
      "\(refused.errors)")
    let sent = scene.refreshCount
    let ending = try scene.run("token")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output == token)
    let account = try scene.run("whoami", "--json").output
    #expect(account.contains(#""state":"active""#))
    #expect(account.contains(#""renewalEnded":"refused""#))
    #expect(
      try scene.run("whoami").output.contains("renewal        has ended: refused by the server"))
    #expect(try scene.run("sync").errors.contains("its renewal has ended: refused by the server."))
    #expect(scene.refreshCount == sent)
  }

  @Test func `all accounts and one account contradict each other`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("logout", "--all", "--account", "ada").exit == 2)
    #expect(try scene.run("whoami", "--json").output.contains(#""state":"active""#))
  }
}

/// What a network shows to who has not logged in to it.
private let page = "<!DOCTYPE html><title>Welcome to the hotel</title>"
