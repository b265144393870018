internal import Foundation
internal import Testing

@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct SurvivalTests {
  private let gatebook: GatebookTool
  private let apache: ApacheServer

  init() throws {
    gatebook = try GatebookTool()
    apache = try .own()
  }

  @Test(arguments: ServerLogin.each)
  func `a session outlives the process and the server`(_ login: ServerLogin) throws {
    let first = try gatebook.object(
      login.command(apache) + ["--label", "work"], answers: [login.password])
    #expect(try gatebook.run(["request", login.url(apache)]).output == login.secret)
    try apache.stop()

    let restored = try gatebook.object(["restore"])
    #expect(restored["state"]?.text == "offline")
    let current = try gatebook.object(["whoami"])
    #expect(current["id"]?.text == first["id"]?.text)
    #expect(current["label"]?.text == "work")
    #expect(current["user"]?.text == login.user)
    #expect(current["state"]?.text == "offline")
    #expect(current["lastVerified"]?.text != nil)
    let accounts = try gatebook.lines(["accounts"])
    #expect(accounts.map { $0["id"]?.text } == [first["id"]?.text])

    let (status, error) = try gatebook.failure(["request", login.url(apache)])
    #expect(status == 4)
    #expect(error["code"]?.text == "network.unreachable")
    #expect(try gatebook.object(["whoami"])["state"]?.text == "offline")

    try apache.startAgain()
    #expect(try gatebook.run(["request", login.url(apache)]).output == login.secret)
  }

  @Test(arguments: ServerLogin.each)
  func `what happened can be read back and holds`(_ login: ServerLogin) throws {
    _ = try gatebook.object(login.command(apache), answers: [login.password])
    try apache.stop()
    _ = try gatebook.object(["restore"])

    let events = try gatebook.lines(["log"])
    #expect(events.map { $0["position"]?.integer } == Array(1...events.count))
    for event in events {
      guard let cause = event["cause"]?.integer else { continue }
      #expect(cause < event["position"]?.integer ?? 0)
    }
    let kinds = events.compactMap { $0["kind"]?.text }
    let story = ["book.created", "login.started", "login.succeeded", "session.restored"]
    #expect(kinds.filter(story.contains) == story)

    let verdict = try gatebook.object(["verify"])
    #expect(verdict["ok"]?.bool == true)
    #expect(verdict["size"]?.integer == events.count)
    #expect(verdict["level"]?.text == "self")
    #expect(verdict["problems"]?.isEmptyList == true)
    #expect(try gatebook.run(["rebuild", "--check"]).status == 0)
    let other = try secondVerdict()
    #expect(other["ok"]?.bool == true)
    #expect(other["root"]?.text == verdict["root"]?.text)
  }

  @Test(arguments: ServerLogin.each)
  func `a server that is down is no wrong password`(_ login: ServerLogin) throws {
    try apache.stop()
    let (status, error) = try gatebook.failure(login.command(apache), answers: [login.password])
    #expect(status == 4)
    #expect(error["code"]?.text == "network.unreachable")
    #expect(try gatebook.lines(["accounts"]).isEmpty)
  }

  @Test(arguments: ServerLogin.each)
  func `a server that refuses for good ends the session`(_ login: ServerLogin) throws {
    _ = try gatebook.object(login.command(apache), answers: [login.password])
    try apache.changePassword(of: login.user)
    #expect(try gatebook.run(["request", login.url(apache)]).status == 3)
    let account = try gatebook.object(["whoami"])
    #expect(account["state"]?.text == "needsLogin")
    #expect(account["reason"]?.text == "refused")
    // What is over is not asked for again.
    #expect(try gatebook.run(["request", login.url(apache)]).status == 3)
    #expect(try gatebook.failure(["restore"]).0 == 3)
  }

  @Test(arguments: ServerLogin.each)
  func `no password lies beside the book`(_ login: ServerLogin) throws {
    _ = try gatebook.object(login.command(apache), answers: [login.password])
    #expect(try gatebook.run(["request", login.url(apache)]).status == 0)
    let basic = Data("\(login.user):\(login.password)".utf8).base64EncodedString()
    #expect(try gatebook.files(holding: [login.password, basic]).isEmpty)
  }

  /// What the verifier in Python says about the same book.
  private func secondVerdict() throws -> JSONObject {
    let result = try ChildProcess.run(
      TestServers.sources + "/tools/verify-book", [gatebook.book, "--json"],
      environment: ProcessInfo.processInfo.environment)
    return try JSONObject(result.output)
  }
}
