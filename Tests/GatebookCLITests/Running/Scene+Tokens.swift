internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

extension Scene {
  /// Logs Ada in for tokens, by her password.
  func logInForTokens(_ more: [String] = []) throws {
    let client = FakePortalApplication.confidential
    let line =
      [
        "login", "liferay", "--server", portal.url, "--company-id", "10154", "--mode",
        "oauth2-password", "--client-id", client.clientID, "--user",
        FakePortalUser.ada.emailAddress, "--password-stdin",
      ] + more
    let input = "\(FakePortalUser.ada.password)\n\(client.secret ?? "")\n"
    let ending = try start(line, ChildProcess.Streams(input: input)).end()
    try #require(ending.exit == 0, "\(ending.errors)")
  }

  /// Gives Ada a token that expires at once; later tokens are valid for ten minutes.
  func expire() throws {
    portal.switches.accessTokenLifetime = .milliseconds(1)
    defer { portal.switches.accessTokenLifetime = .seconds(600) }
    let ending = try run("refresh")
    try #require(ending.exit == 0, "\(ending.errors)")
  }

  /// Starts a process that prints the token.
  func startToken(
    _ more: [String] = [], _ streams: ChildProcess.Streams = ChildProcess.Streams()
  ) throws -> ChildProcess {
    try start(["token"] + more, streams)
  }

  /// The access token that the portal takes, with the newline that `gatebook token` prints.
  func liveToken() throws -> String {
    let now = SystemClock().now().boot
    let live = portal.tokens.filter { $0.accessToken != nil && $0.accessExpiry > now }
    return try #require(live.last?.accessToken) + "\n"
  }

  /// How many refreshes the portal was asked for.
  var refreshCount: Int {
    portal.requests(to: .token).count {
      $0.request.formValue("grant_type") == "refresh_token"
    }
  }

  /// The kinds of the events after the first ones, as the log prints them.
  func kinds(after count: Int = 0) throws -> [String] {
    let log = try run("log", "--json").output.split(separator: "\n")
    return try log.dropFirst(count).map { line in
      String(try #require(line.firstMatch(of: /"kind":"([^"]*)"/)).output.1)
    }
  }

  /// Waits until there is an event of a kind after the first ones.
  func wait(for kind: String, after count: Int) throws {
    let reader = try BookReader.open(at: book)
    try GatebookCLITests.wait(for: kind) {
      try reader.events(EventFilter()).dropFirst(count).contains { $0.kind == kind }
    }
  }

  /// Waits until the portal has seen so many refreshes, answered or not.
  func wait(forRefreshes count: Int) throws {
    try GatebookCLITests.wait(for: "refresh \(count)") { refreshCount >= count }
  }
}
