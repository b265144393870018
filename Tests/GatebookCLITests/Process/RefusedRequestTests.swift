internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// Requests that the server refuses without refusing the session.
struct RefusedRequestTests {
  @Test(arguments: [401, 403])
  func `why, the log and the export show a refused request`(
    _ status: Int
  ) throws {
    let scene = try Scene()
    try scene.logInForTokens()
    scene.portal.inject(.status(status), on: .documents, times: nil)
    for _ in 1...2 {
      // The message for a lasting 401 says that a login may help.
      let ending = try scene.run("request", scene.portal.url + "/documents/one")
      #expect(ending.exit == (status == 401 ? 3 : 0), "\(ending.errors)")
    }
    let refused = try scene.kinds().filter { $0 == "request.refused" }
    #expect(refused.count == 1)
    let why = try scene.run("why").output
    #expect(
      why.contains("the server refused a request (\(status)), but not the session."), "\(why)")
    #expect(
      why.contains("Next: ask the server's administrator what this account may do there"), "\(why)")
    for line in [
      ["log", "--failed"], ["log", "--kind", "request.refused"], ["export", "--format", "ocsf"],
      ["export", "--format", "jsonl"],
    ] {
      let told = try scene.start(line).end().output
      #expect(told.contains("request.refused"), "\(line): \(told)")
      #expect(!told.contains("/documents/one"), "\(line): \(told)")
    }
  }

  @Test func `an answer 400 is settled by sync, in a process of its own`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    scene.portal.inject(.status(400), on: .documents, times: 1)
    #expect(try scene.run("request", scene.portal.url + "/documents/one").exit == 0)
    let why = try scene.run("why").output
    #expect(why.contains("the server answered 400 to a request. The next use asks"), "\(why)")
    #expect(why.contains("`gatebook sync"), "\(why)")
    let sync = try scene.run("sync")
    #expect(sync.exit == 0, "\(sync.errors)")
    #expect(try scene.kinds().last == "session.verified")
    // For an hour it is still told that the server answered so.
    #expect(try scene.run("why").output.contains("It did not refuse the session."))
  }

  @Test func `what a command says of an ended session is what why says`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    try scene.expire()
    scene.portal.inject(
      .alter { _ in .json(#"{"error":"invalid_grant"}"#, status: 400) }, on: .token, times: nil)
    _ = try scene.run("token")
    let error = try scene.run("token", "--json").errors
    let why = try scene.run("why", "--json").output
    let answer = try #require(why.firstMatch(of: /"answer":"([^"]*)"/)).1
    #expect(answer.contains("the server rejected the refresh token (400"), "\(answer)")
    #expect(error.contains(answer), "\(error)\n\(answer)")
  }
}
