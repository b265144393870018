internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// What a server wants besides the session, and the login that answers it, as a person sees them.
struct StepUpTests {
  private let scene: Scene
  private let server: FakeIdentityServer

  init() async throws {
    scene = try Scene()
    server = try FakeIdentityServer()
    try server.start()
    let child = try scene.start([
      "login", "oidc", "--issuer", server.url, "--client-id", FakeIdentityServer.clientID,
      "--no-browser", "--scopes", "profile",
    ])
    _ = try await scene.redirect(of: try child.page())
    let ending = child.end()
    try #require(ending.exit == 0, "\(ending.errors)")
  }

  private func stepUp() async throws -> (page: String, ending: ChildProcess.Ending) {
    let child = try scene.start(["login", "--step-up", "--no-browser", "--json"])
    let page = try child.page()
    _ = try await scene.redirect(of: page)
    return (page, child.end())
  }

  @Test func `a stronger login is demanded, made and taken`() async throws {
    let refused = try scene.run("request", server.url + "/safe")
    #expect(refused.exit == 3)
    #expect(refused.output == "Not like this.\n")
    #expect(refused.errors.contains("gatebook login --step-up"), "\(refused.errors)")
    #expect(try scene.run("request", server.url + "/notes").exit == 0, "the session goes on")
    let log = try scene.run("log", "--json").output
    #expect(log.contains(#""check":"step-up""#))
    #expect(!log.contains("refresh.started"), "a refresh makes no login stronger")
    let (page, ending) = try await stepUp()
    #expect(page.contains("acr_values=urn%3Aexample%3Atwo-factors"), "\(page)")
    #expect(page.contains("max_age=300"))
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(try scene.run("request", server.url + "/safe").output == "The safe of ada.\n")
    #expect(try scene.run("accounts", "--json").output.split(separator: "\n").count == 1)
    let none = try scene.run("login", "--step-up")
    #expect(none.exit == 1, "\(none.errors)")
  }

  @Test func `a login that is as weak as before is refused, and the session continues`()
    async throws
  {
    _ = try scene.run("request", server.url + "/safe")
    server.settings.isStrong = false
    let (_, ending) = try await stepUp()
    #expect(ending.exit == 3, "\(ending.errors)")
    #expect(ending.errors.contains(#""code":"login.unprovable""#))
    var filter = EventFilter()
    filter.kind = EventKind.loginFailed.rawValue
    let failed = try #require(try BookReader.open(at: scene.book).events(filter).last)
    let why = try scene.run("why", "\(failed.position)").output
    #expect(why.contains("Next: `gatebook login --step-up "), "\(why)")
    #expect(try scene.run("request", server.url + "/notes").output == "The notes of ada.\n")
    server.settings.isStrong = true
    #expect(try await stepUp().ending.exit == 0, "the demand is still known")
  }

  @Test func `missing scopes are named, asked for and granted`() async throws {
    let refused = try scene.run("request", server.url + "/archive")
    #expect(refused.exit == 0, "an answer like any other")
    #expect(refused.errors.contains("lacks scopes for this request: archive."))
    let (page, ending) = try await stepUp()
    #expect(page.contains("scope=openid%20profile%20archive"), "\(page)")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(
      try scene.run("request", server.url + "/archive").output == "The archive of ada.\n")
  }

  @Test func `scopes that are not granted after all are named`() async throws {
    _ = try scene.run("request", server.url + "/archive")
    server.settings.withheldScopes = ["archive"]
    let (_, ending) = try await stepUp()
    #expect(ending.exit == 3)
    #expect(ending.errors.contains(#""code":"scope.missing""#), "\(ending.errors)")
    #expect(ending.errors.contains("archive"))
    #expect(try scene.run("request", server.url + "/notes").exit == 0)
  }

  @Test func `without a demand there is nothing to answer, and two ways are one too many`() throws {
    let none = try scene.run("login", "--step-up")
    #expect(none.exit == 1)
    #expect(none.errors.contains("No server demands a stronger login from this account."))
    #expect(none.errors.contains("`gatebook request`"), "\(none.errors)")
    #expect(try scene.run("login", "--step-up", "--resume").exit == 2)
  }
}
