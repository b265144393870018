internal import Gatebook
internal import GatebookCurl

/// The steps of the demonstration.
@MainActor struct DemoStory {
  private let stage: DemoStage
  private let transport = CurlTransport()

  init(_ stage: DemoStage) {
    self.stage = stage
  }

  /// Tells all of them.
  func tell() async throws {
    stage.begin("An OpenID Connect server starts on this machine.")
    let servers = try DemoServers()
    defer { servers.stop() }
    stage.show([try servers.text("issuer")])
    let book = try await SessionBook.open(
      at: stage.book, key: AutomaticKey(folder: "\(stage.folder)/gatebook/keys"),
      program: Program(
        name: "gatebook", version: CommandTable.version,
        installation: Installation.identity(in: "\(stage.folder)/gatebook")),
      transport: transport, suffixes: PublicSuffixList(), renewalPolicy: .beforeUse)
    do {
      try await identityServer(book, servers)
      try await portals(book, servers)
      servers.stop()
    } catch {
      await book.close()
      throw error
    }
    await book.close()
    offline()
    history()
    try tampered()
  }

  // MARK: OpenID Connect

  private func identityServer(_ book: SessionBook, _ servers: DemoServers) async throws {
    stage.begin("Ada logs in. The demo opens the login page in her place.")
    stage.showLogin(of: try await logIn(book, servers))

    stage.begin("A request: Gatebook adds the access token.")
    stage.run(["request", "/notes"])

    stage.begin("The server stops accepting the access token. Gatebook renews the session.")
    try servers.endTokens()
    stage.run(["request", "/notes"])

    stage.begin("Why is the session in its state?")
    stage.run(["why"])
  }

  private func logIn(
    _ book: SessionBook, _ servers: DemoServers
  ) async throws -> SessionContext {
    guard let issuer = Issuer(try servers.text("issuer")) else { throw Self.noIssuer }
    var options = LoginOptions()
    options.label = "ada"
    let application = OAuth2Application(
      clientID: try servers.text("client"), scopes: ["openid", "profile"])
    let pending = try await book.beginLogIn(
      .openID(
        issuer: issuer, application: application, flow: .code(redirectURI: "demo:/back")),
      options: options)
    // What the browser does: it opens the page, and the server sends it back with a code.
    let page = try await transport.send(.get(pending.page), through: Route(pool: "browser"))
    return try await book.finishLogIn(redirect: page.fields.first("Location") ?? "")
  }

  private static let noIssuer = GatebookError(
    .configurationInvalid, "A built-in server has no valid address.", remedy: "Report this.")

  // MARK: Portals

  private func portals(_ book: SessionBook, _ servers: DemoServers) async throws {
    stage.begin("Ben and Cleo log in to two Liferay portals: other servers, the same book.")
    let (modern, old) = (
      LiferayPortal(server: try servers.url("portal"), companyID: servers.company, version: .v7),
      LiferayPortal(server: try servers.url("oldPortal"), companyID: servers.company, version: .v62)
    )
    let ben = try servers.text("portalUser")
    _ = try await logIn(
      book, modern, .cookie(login: ben, password: Secret(try servers.text("portalPassword"))), "ben"
    )
    let cleo = try servers.text("oldPortalUser")
    _ = try await logIn(
      book, old,
      .basic(.screenName(cleo), password: Secret(try servers.text("oldPortalPassword"))), "cleo")
    stage.run(["accounts"])

    stage.begin("A wrong password for Ben: refused and recorded. His session stays.")
    do throws(GatebookError) {
      _ = try await logIn(
        book, modern, .cookie(login: ben, password: Secret("not Ben's password")), nil)
      stage.fail("The wrong password was accepted.")
    } catch {
      stage.show(error, expected: .credentialsRefused)
    }

    stage.begin("Ada's account becomes the current one again.")
    stage.run(["switch", "ada"])
  }

  private func logIn(
    _ book: SessionBook, _ portal: LiferayPortal, _ login: LiferayLogin, _ label: String?
  ) async throws(GatebookError) -> SessionContext {
    var options = LoginOptions()
    options.label = label
    return try await book.logIn(.liferay(portal, login), options: options)
  }

  // MARK: Offline

  private func offline() {
    stage.begin("All servers stop. A request cannot be sent; the session is kept.")
    stage.run(["request", "/notes"], expecting: .serverTrouble)

    stage.begin("A new process starts without network, with the sessions of the last one.")
    stage.run(["restore", "--all"])

    stage.begin("It knows whose account is current, and when the server last confirmed it.")
    stage.run(["whoami"])
  }

  // MARK: History

  private func history() {
    stage.begin("The log shows what happened to Ben's account.")
    stage.run(["log", "--account", "ben"])

    stage.begin("Was the log changed? Gatebook computes every hash again.")
    stage.run(["verify", "--quiet"])

    stage.begin("Without the key the history is readable; personal data stays encrypted.")
    stage.run(["accounts", "--key", "none"])
  }

  // MARK: Damage

  private func tampered() throws(GatebookError) {
    stage.begin("One bit of one event is flipped in a copy. Verify says which event.")
    let copy = "\(stage.folder)/copy.gatebook"
    var bytes = try TextFile.bytes(stage.book, what: "book", limit: 64 << 20)
    let fact = Array(#""evidence":"identity""#.utf8)
    guard let start = bytes.firstRange(of: fact)?.lowerBound else {
      return stage.fail("The book holds no login.")
    }
    bytes[start + fact.count - 2] ^= 1
    try TextFile.write(bytes, to: copy)
    stage.run(["verify", "--quiet"], on: copy, expecting: .damaged)
  }
}
