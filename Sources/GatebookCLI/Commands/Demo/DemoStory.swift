internal import Gatebook
internal import GatebookCurl
internal import GatebookTestSupport

/// The steps of the demonstration.
@MainActor struct DemoStory {
  private let stage: DemoStage

  init(_ stage: DemoStage) {
    self.stage = stage
  }

  /// Tells all of them.
  func tell() async throws {
    stage.begin("Two fake Liferay portals start on this machine: one of 7.3, one of 6.2.")
    let modern = try FakeLiferayPortal(users: [.ada, .ben], seed: 1)
    let old = try FakeLiferayPortal(
      users: [.cleo], switches: FakePortalSwitches(version: .v62), seed: 2)
    try modern.start()
    try old.start()
    defer {
      modern.stop()
      old.stop()
    }
    stage.show(["\(modern.url)  (7.3, a fake)", "\(old.url)  (6.2, a fake)"])
    let book = try await SessionBook.open(
      at: stage.book, key: AutomaticKey(folder: "\(stage.folder)/gatebook/keys"),
      program: Program(
        name: "gatebook", version: CommandTable.version,
        installation: Installation.identity(in: "\(stage.folder)/gatebook")),
      transport: CurlTransport(), suffixes: PublicSuffixList(), renewalPolicy: .beforeUse)
    do {
      try await online(book, modern, old)
      modern.stop()
      old.stop()
      try await offline(book)
    } catch {
      await book.close()
      throw error
    }
    await book.close()
    try inNewProcess()
    try tampered()
  }

  // MARK: Online

  private func online(
    _ book: SessionBook, _ modern: FakeLiferayPortal, _ old: FakeLiferayPortal
  ) async throws {
    stage.begin("Three accounts log in: Ada by Basic, Ben by cookie, Cleo at the old portal.")
    let ada = try await logIn(book, modern, .ada, "ada", mode: .basic(by: .email))
    _ = try await logIn(book, modern, .ben, "ben", mode: .cookie)
    _ = try await logIn(book, old, .cleo, "cleo", mode: .basic(by: .screenName))
    stage.show(AccountRendering.table(try await book.accounts(), stage.times))

    stage.begin("The portal told who Ada is: her attributes are in the book, sealed.")
    stage.show(
      ["firstName", "lastName", "emailAddress", "languageId"].map { name in
        "\(name): \(ada.user[name] ?? "-")"
      })

    stage.begin("A wrong password for Ben: refused and recorded; his session stays as it was.")
    var ben = FakePortalUser.ben
    ben.password = "not Ben's password"
    do throws(GatebookError) {
      _ = try await logIn(book, modern, ben, nil, mode: .cookie)
      stage.fail("The wrong password was taken.")
    } catch {
      stage.show(error, expected: .credentialsRefused)
    }

    stage.begin("Switch to Ada: one event; requests without a name now go out as hers.")
    stage.show([AccountRendering.name(try await book.switchAccount(to: ada.account))])
  }

  /// How a demonstration's account logs in.
  private enum Mode {
    case basic(by: Name)
    case cookie

    enum Name {
      case email
      case screenName
    }
  }

  private func logIn(
    _ book: SessionBook, _ portal: FakeLiferayPortal, _ user: FakePortalUser, _ label: String?,
    mode: Mode
  ) async throws(GatebookError) -> SessionContext {
    guard let server = HTTPURL(portal.url) else {
      throw GatebookError(
        .configurationInvalid, "The fake portal has no URL.", remedy: "Report this.")
    }
    var options = LoginOptions()
    options.label = label
    let password = Secret(user.password)
    let login: LiferayLogin =
      switch mode {
      case .basic(.email): .basic(.email(user.emailAddress), password: password)
      case .basic(.screenName): .basic(.screenName(user.screenName), password: password)
      case .cookie: .cookie(login: user.emailAddress, password: password)
      }
    let version: LiferayPortal.Version = portal.switches.version == .v62 ? .v62 : .v7
    let target = LiferayPortal(server: server, companyID: user.companyID, version: version)
    return try await book.logIn(.liferay(target, login), options: options)
  }

  // MARK: Offline

  private func offline(_ book: SessionBook) async throws {
    stage.begin("The portals stop. A request cannot be sent; the session is kept.")
    guard let current = try await book.currentContext(),
      let url = HTTPURL("\(current.server)/api/jsonws")
    else { return stage.fail("There is no current account.") }
    do throws(GatebookError) {
      _ = try await book.send(.get(url))
      stage.fail("Somebody answered.")
    } catch {
      stage.show(error, expected: .networkUnreachable)
    }
  }

  private func inNewProcess() throws {
    stage.begin("A new process starts without a network and continues where this one ended.")
    stage.run(["restore", "--all"])
    stage.begin("It knows who is current, since when, and on what evidence.")
    stage.run(["whoami"])
    stage.begin("The log says how it came to this.")
    stage.run(["log"])
    stage.begin("Nobody changed it: every hash is computed again.")
    stage.run(["verify", "--quiet"])
    stage.begin("Without the key the history is still readable; persons are sealed.")
    stage.run(["accounts", "--key", "none"])
  }

  // MARK: Damage

  private func tampered() throws(GatebookError) {
    stage.begin("In a copy one bit of one event is flipped. Verify says which event.")
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
