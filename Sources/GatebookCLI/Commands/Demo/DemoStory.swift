internal import Gatebook
internal import GatebookCurl
internal import GatebookSystem

/// The steps of the demonstration.
@MainActor struct DemoStory {
  private let stage: DemoStage
  private let shell: DemoShell
  private let transport = CurlTransport()

  /// Prepares the story.
  ///
  /// - Parameters:
  ///   - stage: Shows it.
  ///   - folder: The folder of its files.
  /// - Throws: `configuration.invalid` if the folder cannot be written.
  init(on stage: DemoStage, in folder: String) throws(GatebookError) {
    self.stage = stage
    shell = try DemoShell(in: folder, variables: ["GATEBOOK_BOOK": "\(folder)/demo.gatebook"])
  }

  private var path: String { "\(shell.folder)/demo.gatebook" }

  /// Tells all of them.
  func tell() async throws {
    try stage.begin("An OpenID Connect server starts on this machine.")
    let servers = try DemoServers()
    defer { servers.stop() }
    stage.show([try servers.text("issuer")])
    let book = try await SessionBook.open(
      at: path, key: AutomaticKey(folder: "\(shell.folder)/gatebook/keys"),
      program: Program(
        name: "gatebook", version: CommandTable.version,
        installation: Installation.identity(in: "\(shell.folder)/gatebook")),
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
    try afterwards()
    try tampered()
  }

  // MARK: OpenID Connect

  private func identityServer(_ book: SessionBook, _ servers: DemoServers) async throws {
    try stage.begin("Ada logs in. The demo opens the login page in her place.")
    stage.showLogin(of: try await logIn(book, servers))

    try stage.step(
      "A request: Gatebook adds the access token.", "gatebook request /notes", in: shell)
    try servers.endTokens()
    try stage.step(
      "The server stops accepting the access token. Gatebook renews the session.",
      "gatebook request /notes", in: shell)
    try stage.step("Why is the session in its state?", "gatebook why", in: shell)
  }

  private func logIn(
    _ book: SessionBook, _ servers: DemoServers
  ) async throws -> SessionContext {
    guard let issuer = Issuer(try servers.text("issuer")) else { throw DemoServers.failed }
    let application = OAuth2Application(
      clientID: try servers.text("client"), scopes: ["openid", "profile"])
    let pending = try await book.beginLogIn(
      .openID(
        issuer: issuer, application: application, flow: .code(redirectURI: "demo:/back")),
      options: LoginOptions(label: "ada"))
    // What the browser does: it opens the page, and the server sends it back with a code.
    let page = try await transport.send(.get(pending.page), through: Route(pool: "browser"))
    return try await book.finishLogIn(redirect: page.fields.first("Location") ?? "")
  }

  // MARK: Portals

  private func portals(_ book: SessionBook, _ servers: DemoServers) async throws {
    try stage.begin("Ben and Cleo log in to two Liferay portals: other servers, the same book.")
    let portal = LiferayPortal(
      server: try servers.url("portal"), companyID: servers.company, version: .v7)
    let ben = try servers.text("portalUser")
    let password = Secret(try servers.text("portalPassword"))
    _ = try await book.logIn(
      .liferay(portal, .cookie(login: ben, password: password)),
      label: "ben")
    let oldPortal = LiferayPortal(
      server: try servers.url("oldPortal"), companyID: servers.company, version: .v62)
    let cleo = LiferayUser.screenName(try servers.text("oldPortalUser"))
    let oldPassword = Secret(try servers.text("oldPortalPassword"))
    _ = try await book.logIn(
      .liferay(oldPortal, .basic(cleo, password: oldPassword)), label: "cleo")
    try stage.run("gatebook accounts", in: shell)

    try stage.begin("A wrong password for Ben: refused and recorded. His session stays.")
    do throws(GatebookError) {
      _ = try await book.logIn(
        .liferay(portal, .cookie(login: ben, password: Secret("not Ben's password"))))
      stage.fail("The wrong password was accepted.")
    } catch {
      stage.show(error, expected: .credentialsRefused)
    }

    try stage.step(
      "Ada's account becomes the current one again.", "gatebook switch ada", in: shell)
  }

  // MARK: Without servers

  private func afterwards() throws {
    try stage.step(
      "All servers stop. A request cannot be sent; the session is kept.",
      "gatebook request /notes", in: shell, expecting: .serverTrouble)
    try stage.step(
      "A new process starts without network, with the sessions of the last one.",
      "gatebook restore --all", in: shell)
    try stage.step(
      "It knows whose account is current, and when the server last confirmed it.",
      "gatebook whoami", in: shell)
    try stage.step(
      "The log shows what happened to Ben's account.", "gatebook log --account ben", in: shell)
    try stage.step(
      "Was the log changed? Gatebook computes every hash again.", "gatebook verify --quiet",
      in: shell)
    try stage.step(
      "Without the key the history is readable; personal data stays encrypted.",
      "gatebook accounts --key none", in: shell)
  }

  // MARK: Damage

  private func tampered() throws {
    try stage.begin("One bit of one event is flipped in a copy. Verify says which event.")
    let copy = "\(shell.folder)/copy.gatebook"
    var bytes = try TextFile.bytes(path, what: "book", limit: 64 << 20)
    guard let fact = bytes.firstRange(of: #""evidence":"identity""#) else {
      return stage.fail("The book holds no login.")
    }
    bytes[fact.upperBound - 2] ^= 1
    try TextFile.write(bytes, to: copy)
    try stage.run(
      "gatebook verify --quiet --book copy.gatebook", in: shell, expecting: .damaged)
  }
}
