internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// A command that is printed acts on the account that it was printed for, though another one is
/// current, and in the book that was named.
struct OtherAccountTests {
  @Test(arguments: ["request", "restore", "switch"])
  func `what was saved logs in the account that was named`(_ command: String) async throws {
    let scene = try Scene()
    let place = ["--book", "\(scene.folder)/my book", "--key", "file:\(scene.folder)/my.key"]
    for (user, label) in [(FakePortalUser.ada, "ada"), (FakePortalUser.ben, "ben")] {
      let login = try scene.start(
        [
          "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user",
          user.emailAddress, "--mode", "cookie", "--password-stdin", "--save-credentials",
          "--label", label,
        ] + place, ChildProcess.Streams(input: user.password + "\n")
      ).end()
      try #require(login.exit == 0, "\(login.errors)")
    }
    try #require(try scene.start(["logout", "--account", "ada"] + place).end().exit == 0)
    let line = [command] + (command == "request" ? [scene.portal.url + "/documents/1"] : [])
    let told = try scene.start(line + ["--account", "ada"] + place).end().errors
    let printed = try #require(told.firstMatch(of: /`(gatebook refresh[^`]*)`/), "\(told)").output.1
    #expect(
      printed == "gatebook refresh --account ada --book '\(place[1])' --key \(place[3])", "\(told)")
    let why = try scene.start(["why", "--account", "ada"] + place).end().output
    #expect(why.contains("`\(printed)`"), "\(why)")
    let ben = try state(of: "ben", scene, place)
    let pasted = try await scene.paste(String(printed))
    #expect(pasted.exit == 0, "\(printed)\n\(pasted.shown)")
    #expect(try state(of: "ada", scene, place).contains(#""state":"active""#))
    if command != "switch" { #expect(try state(of: "ben", scene, place) == ben) }
  }

  /// An account, as `accounts` prints it for programs.
  private func state(of label: String, _ scene: Scene, _ place: [String]) throws -> String {
    let lines = try scene.start(["accounts", "--json"] + place).end().output.split(separator: "\n")
    return String(try #require(lines.first { $0.contains(#""label":"\#(label)""#) }))
  }

  @Test(arguments: ["/safe", "/archive"])
  func `a stronger login is that of the account that was named`(_ page: String) async throws {
    let (scene, server) = (try Scene(), try FakeIdentityServer())
    try server.start()
    defer { server.stop() }
    let child = try scene.start(
      server.line("oidc", "code", ["--no-browser", "--label", "mine", "--scopes", "profile"]))
    _ = try await scene.redirect(of: try child.page())
    try #require(child.end().exit == 0)
    try scene.logIn(.ada, label: "other")
    let place = ["--account", "mine", "--book", scene.book]
    let told = try scene.start(["request", server.url + page] + place).end().errors
    let command = "gatebook login --step-up --account mine --book \(scene.book)"
    #expect(told.contains("`\(command)`"), "\(told)")
    let pasted = try await scene.paste(
      command + " --no-browser", visit: { _ = try await scene.redirect(of: $0) })
    #expect(pasted.exit == 0, "\(pasted.shown)")
    let again = try scene.start(["request", server.url + page] + place).end()
    #expect(again.output.hasSuffix(" of ada.\n"), "\(again.output)\(again.errors)")
  }

  @Test(arguments: [[], ["--scopes", "profile"]])
  func `a request and why ask for the same scopes`(_ scopes: [String]) throws {
    let (scene, server) = (try Scene(), try FakeIdentityServer())
    try server.start()
    defer { server.stop() }
    let login = try scene.start(
      server.line("oauth2", "password", ["--password-stdin", "--label", "mine"] + scopes),
      ChildProcess.Streams(input: "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n")
    ).end()
    try #require(login.exit == 0, "\(login.errors)")
    try scene.logIn(.ada, label: "other")
    let told = try scene.run("request", server.url + "/archive", "--account", "mine").errors
    let command = try #require(
      told.firstMatch(of: /`(gatebook login --account mine [^`]*)` requests them/), "\(told)"
    ).output.1
    #expect(command.contains(/--scopes ('[^']* )?archive/), "\(command)")
    let why = try scene.run("why", "--account", "mine").output
    #expect(why.contains("`\(command)` requests them"), "\(why)")
    let hasFormer = told.contains("requests them and the earlier scopes")
    #expect(hasFormer == command.contains(/--scopes '/), "\(told)")
    if !scopes.isEmpty { #expect(command.contains("'profile archive'"), "\(command)") }
  }

  @Test(arguments: [
    ("refresh", true), ("refresh --again", true), ("sync", true), ("why", true),
    ("trust list", true), ("trust revoke", true), ("login --step-up", true),
    ("refresh --account bob", false), ("help login", false), ("verify", false),
    ("login --waiting", false),
  ])
  func `a remedy's command names the account unless it does already`(
    _ command: String, _ isCompleted: Bool
  ) {
    let options = " --account ada --book 'my book'"
    let told = PrintedCommand.completed("If so, `gatebook \(command)` helps.", by: options)
    #expect(told == "If so, `gatebook \(command)\(isCompleted ? options : "")` helps.")
  }
}
