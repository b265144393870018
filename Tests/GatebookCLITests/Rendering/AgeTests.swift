internal import Gatebook
internal import GatebookTestSupport
internal import Testing

@testable internal import GatebookCLI

/// What people read of times after the clock of their machine was set.
struct AgeTests {
  /// An account with a token of a minute, and the clock that it was made by.
  private struct Stage {
    let folder: TemporaryFolder
    let clock = GatebookTestSupport.FixedClock()
    let context: SessionContext

    init() async throws {
      folder = try TemporaryFolder(named: "gatebook-test")
      let transport = ScriptedTransport { request, _ in
        let body =
          request.url.path == "/token"
          ? #"{"access_token":"a","token_type":"Bearer","expires_in":60,"refresh_token":"r"}"#
          : #"{"sub":"248"}"#
        return HTTPReply(status: 200, body: Array(body.utf8))
      }
      let book = try await SessionBook.open(
        at: folder.path + "/book", key: KeyFile(path: folder.path + "/key"),
        program: Program(
          name: "tests", version: "1", installation: InstallationID(high: 1, low: 2)),
        transport: transport, clock: clock, network: nil)
      var server = OAuth2Server()
      server.userInfoURL = HTTPURL("https://auth.example/me")
      context = try await book.logIn(
        .oauth2(
          tokenURL: try #require(HTTPURL("https://auth.example/token")), server,
          application: OAuth2Application(clientID: "app"),
          flow: .password(user: "ada", Secret("rabbit"))))
      await book.close()
    }
  }

  @Test(arguments: [
    (0, "2026-01-02 03:04:05Z (just now)", "2026-01-02 03:05:05Z (in 1 min)"),
    (
      -3600, "2026-01-02 03:04:05Z (this machine's clock was set back afterwards)",
      "2026-01-02 02:05:05Z (in 1 min)"
    ),
    (3600, "2026-01-02 03:04:05Z (1 h ago)", "2026-01-02 04:05:05Z (in 1 min)"),
    (
      -86_400, "2026-01-02 03:04:05Z (this machine's clock was set back afterwards)",
      "2026-01-01 03:05:05Z (in 1 min)"
    ),
  ])
  func `no age is negative, and a life ends by the clock that counts it`(
    _ jump: Int, _ verified: String, _ expires: String
  ) async throws {
    let stage = try await Stage()
    defer { stage.folder.remove() }
    stage.clock.jump(by: .seconds(jump))
    let times = TimeText(zone: .utc, isUTC: true, clock: stage.clock)
    #expect(times.agedPast(try #require(stage.context.lastVerified)) == verified)
    #expect(times.expiry(of: stage.context) == expires)
    // A past state is described with the log's own times.
    let then = times.counting(from: try #require(stage.context.lastVerified))
    #expect(then.expiry(of: stage.context) == "2026-01-02 03:05:05Z (1 min after)")
  }

  @Test func `a life that is not over is printed as the time left`() async throws {
    let stage = try await Stage()
    defer { stage.folder.remove() }
    stage.clock.jump(by: .seconds(-3600))
    stage.clock.advance(by: .seconds(40))
    let times = TimeText(zone: .utc, isUTC: true, clock: stage.clock)
    #expect(times.expiry(of: stage.context) == "2026-01-02 02:05:05Z (in 20 s)")
  }
}
