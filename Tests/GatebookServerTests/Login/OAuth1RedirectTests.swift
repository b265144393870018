internal import Foundation
internal import Testing

/// How a login continues after the person has visited the server's page.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct OAuth1RedirectTests {
  private static let elsewhere = ["--redirect", "com.example.gatebook://callback"]

  private let gatebook: GatebookTool
  private let server: OAuth1Server

  init() throws {
    gatebook = try GatebookTool()
    server = try .shared()
  }

  private func start(_ more: [String] = [], user: String? = nil) throws -> RunningTool {
    try gatebook.start(server.login(user: user) + more, answers: [OAuth1Server.consumerSecret])
  }

  private func user() throws -> String? {
    let reply = try gatebook.run(["request", server.checkURL])
    try #require(reply.status == 0, "\(reply.errors)")
    return try JSONObject(reply.output)["user"]?.text
  }

  @Test func `a person who denies ends the login and nothing else`() throws {
    let first = try start(user: "first")
    _ = try Person.alice.visit(first.page(), following: true)
    try #require(try first.end().status == 0)
    let second = try start(user: "second")
    let redirect = try Person.bob.visit(second.page(), allowing: false, following: true)
    #expect(redirect.contains("error=access_denied"))
    let ending = try second.end()
    #expect(ending.status == 130)
    #expect(ending.output.isEmpty)
    let last = try #require(ending.errors.split(separator: "\n").last)
    let error = try #require(try JSONObject(String(last))["error"]?.object)
    #expect(error["code"]?.text == "challenge.cancelled")
    #expect(try gatebook.lines(["accounts"]).map { $0["user"]?.text } == ["first"])
    #expect(
      try gatebook.facts(of: "login.failed").map { $0["code"]?.text } == ["challenge.cancelled"])
    #expect(try user() == "alice")
    #expect(try gatebook.object(["verify"])["ok"]?.bool == true)
  }

  @Test func `another process brings the redirect, once`() throws {
    let waiting = try start(Self.elsewhere)
    let redirect = try Person.alice.visit(waiting.page())
    #expect(redirect.hasPrefix("com.example.gatebook://callback?"))
    let finished = try gatebook.object(["login", "--callback", redirect])
    let ending = try waiting.end()
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try JSONObject(ending.output)["id"]?.text == finished["id"]?.text)
    #expect(try user() == "alice")
    let (status, error) = try gatebook.failure(["login", "--callback", redirect])
    #expect(status == 1)
    #expect(error["code"]?.text == "state.mismatch")
    #expect(try user() == "alice")
  }

  @Test func `a redirect finds its login after the process was killed`() throws {
    let lost = try start(Self.elsewhere + ["--label", "work"])
    let page = try lost.page()
    lost.kill()
    let redirect = try Person.bob.visit(page)
    let account = try gatebook.object(
      ["login", "--callback", "-", "--password-stdin"], answers: [redirect])
    #expect(account["label"]?.text == "work")
    #expect(account["state"]?.text == "active")
    #expect(try user() == "bob")
  }

  @Test func `a verifier that the person reads is typed`() throws {
    let login = try start(["--redirect", "oob"])
    let text = try Person.zofie.visit(login.page())
    let verifier = try #require(text.split(separator: " ").last)
    login.answer(String(verifier))
    let ending = try login.end()
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(!(ending.output + ending.errors).contains(verifier))
    #expect(try user() == "žofie")
  }

  @Test func `a verifier that was guessed gets nothing`() throws {
    let login = try start(["--redirect", "oob"])
    _ = try Person.alice.visit(login.page())
    login.answer("guessed")
    let ending = try login.end()
    #expect(ending.status == 3, "\(ending.errors)")
    #expect(try gatebook.lines(["accounts"]).isEmpty)
    #expect(try gatebook.kinds().last == "login.failed")
  }
}
