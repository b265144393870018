internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Logins that wait for a person: any process can list, continue and cancel them.
struct WaitingLoginTests {
  private let scene: Scene
  private let server: FakeIdentityServer

  init() throws {
    scene = try Scene()
    server = try FakeIdentityServer()
    server.settings.pendingPolls = .max
    try server.start()
  }

  /// Begins a login by a code and leaves it as a process that was killed would.
  private func abandon(_ label: String, _ more: [String] = []) throws {
    let child = try scene.start(server.line("oidc", "device", ["--label", label] + more))
    _ = try child.page()
    child.signal(SIGKILL)
    #expect(child.end().exit == -SIGKILL)
  }

  private func ids() throws -> [String] {
    try scene.run("login", "--waiting", "--json").output.split(separator: "\n").map { line in
      String(try #require(line.firstMatch(of: /^{"id":"([0-9a-f]{32})"/)).output.1)
    }
  }

  @Test func `both kinds are listed, and nothing that a browser alone may see`() throws {
    try abandon("mine")
    let page = try scene.start(scene.pageLogin("--redirect", "screens://oauth2_callback"))
    _ = try page.page()
    let before = try scene.run("log", "--json").output
    let lines = try scene.run("login", "--waiting", "--json").output.split(separator: "\n")
    #expect(lines.count == 2)
    let time = #/"until":"[-0-9]{10}T[:.0-9]{15}Z"/#
    for (line, parts) in zip(
      lines,
      [
        (
          #","method":"oidc","server":"\#(server.url)","awaits":"code","until":"#,
          #","userCode":"WDJB-MJHT","page":"\#(server.url)/enter"}"#
        ),
        (
          #","method":"liferay-oauth2-redirect","server":"\#(scene.portal.url)","#
            + #""awaits":"redirect","until":"#, #","redirect":"screens://oauth2_callback"}"#
        ),
      ])
    {
      #expect(line.contains(parts.0) && line.hasSuffix(parts.1), "\(line)")
      #expect(line.firstMatch(of: time) != nil, "\(line)")
    }
    let text = try scene.run("login", "--waiting")
    #expect(text.output.contains("code WDJB-MJHT at \(server.url)/enter"), "\(text.output)")
    #expect(text.output.contains("redirect to screens://oauth2_callback"))
    #expect(!(text.output + lines.joined()).contains("state="))
    #expect(try scene.run("log", "--json").output == before)
    page.signal(SIGINT)
    #expect(page.end().exit == 130)
  }

  @Test func `where nothing waits that is said`() throws {
    try scene.logIn(.ada)
    let ending = try scene.run("login", "--waiting")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors == "No login is waiting.\n")
    #expect(try scene.run("login", "--waiting", "--json").output.isEmpty)
  }

  @Test func `one of several waiting logins continues by its ID, or the last one without`() throws {
    try abandon("first")
    try abandon("second", ["--save-credentials"])
    let ids = try ids()
    try #require(ids.count == 2)
    server.settings.pendingPolls = 0
    server.settings.givesRefreshTokens = false
    let first = try scene.run("login", "--resume", ids[0], "--json")
    #expect(first.exit == 0, "\(first.errors)")
    #expect(first.output.contains(#""label":"first""#))
    #expect(!first.errors.contains("No credentials were saved"), "\(first.errors)")
    #expect(try self.ids() == [ids[1]])
    let last = try scene.run("login", "--resume", "--json")
    // The same user is the same account, whose label stays.
    #expect(last.output.contains(#""label":"first""#), "\(last.errors)")
    #expect(last.errors.contains("`gatebook rename first second`"), "\(last.errors)")
    #expect(
      last.errors.contains("No credentials were saved: this login gave nothing"), "\(last.errors)")
  }

  @Test func `the output says which of several logins continues`() throws {
    try abandon("first")
    try abandon("second")
    server.settings.pendingPolls = 0
    let ending = try scene.run("login", "--resume")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors.contains("1 more login is waiting: see `gatebook login --waiting`."))
  }

  @Test
  func `a login is cancelled by the beginning of its ID, and its waiting process learns that`()
    throws
  {
    let page = try scene.start(scene.pageLogin("--redirect", "screens://oauth2_callback"))
    _ = try page.page()
    let code = try scene.start(server.line("oidc", "device"))
    _ = try code.page()
    for id in try ids() {
      let ending = try scene.run("login", "--cancel", String(id.prefix(8)), "--json")
      #expect(ending.exit == 0, "\(ending.errors)")
      #expect(ending.output.hasPrefix(#"{"id":"\#(id)","#), "\(ending.output)")
    }
    for child in [page, code] {
      let ending = child.end()
      #expect(ending.exit == 130, "\(ending.errors)")
    }
    #expect(try ids().isEmpty)
    #expect(try scene.kinds().count { $0 == "login.cancelled" } == 2)
  }

  @Test func `a login that does not wait is 1, and says where to look`() throws {
    try abandon("mine")
    let id = try #require(try ids().first)
    #expect(
      try scene.run("login", "--cancel", id).output.hasPrefix(
        "Cancelled the waiting login \(id.prefix(8))"))
    for way in ["--cancel", "--resume"] {
      for name in [id, "elsewhere"] {
        let ending = try scene.run("login", way, name)
        #expect(ending.exit == 1, "\(ending.errors)")
        #expect(ending.errors.contains("No login with the id "), "\(ending.errors)")
        #expect(ending.errors.contains("`gatebook login --waiting`"), "\(ending.errors)")
      }
    }
  }

  @Test func `a login that waits for a redirect cannot continue with a code`() throws {
    let page = try scene.start(scene.pageLogin("--redirect", "screens://oauth2_callback"))
    _ = try page.page()
    let id = try #require(try ids().first)
    let ending = try scene.run("login", "--resume", id)
    #expect(ending.exit == 1, "\(ending.errors)")
    #expect(ending.errors.contains("`gatebook login --callback URL`"), "\(ending.errors)")
    page.signal(SIGINT)
    #expect(page.end().exit == 130)
  }

  @Test(arguments: [false, true])
  func `a redirect that another process brings tells what was not saved`(
    _ isSaved: Bool
  ) async throws {
    server.settings.givesRefreshTokens = isSaved
    let child = try scene.start([
      "login", "oidc", "--issuer", server.url, "--client-id", FakeIdentityServer.clientID,
      "--no-browser", "--redirect", "com.example.app:/back", "--save-credentials",
    ])
    let redirect = try await scene.redirect(of: try child.page(), isOpened: false)
    let finished = try scene.run("login", "--callback", redirect)
    #expect(finished.exit == 0, "\(finished.errors)")
    let waiting = child.end()
    for ending in [finished, waiting] {
      #expect(ending.errors.contains("No credentials were saved") == !isSaved, "\(ending.errors)")
    }
  }

  @Test(arguments: [
    ["--waiting", "--resume"], ["--cancel", "ab", "--resume"], ["--cancel"],
    ["--cancel", "--json"],
  ])
  func `what does not fit together is 2`(_ line: [String]) throws {
    #expect(try scene.start(["login"] + line).end().exit == 2)
  }
}
