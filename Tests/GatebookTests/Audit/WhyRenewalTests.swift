import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// What `why` says about sessions with refresh tokens, on histories of a real book.
@Suite struct WhyRenewalTests {
  private struct Stage {
    let world: TestBook
    let server: TokenServer
    let book: SessionBook
    let account: AccountID

    init(
      _ settings: TokenServer.Settings = TokenServer.Settings(),
      options: LoginOptions = LoginOptions(), scopes: [String] = []
    ) async throws {
      world = try TestBook()
      server = TokenServer(world.clock)
      server.settings = settings
      book = try await world.open(server.transport)
      account = try await book.logIn(server.method(scopes: scopes), options: options).account
    }

    func told() async throws -> Told { Told(try await book.why(account)) }

    func use() async { _ = try? await book.send(server.page(), as: account) }
  }

  private static let login = [
    "tests 1, process N began a login at https://auth.example by oauth2.",
    "The login succeeded: the server named the user. The access token is valid for 10 min.",
  ]
  private static let unsaved = "No saved credentials can log it in again."

  @Test func `a login`() async throws {
    let stage = try await Stage()
    #expect(
      try await stage.told()
        == Told(
          "The session is active. Its last login, renewal or check succeeded at T. Its access token is valid until T.",
          Self.login, .nothing))
  }

  @Test func `a renewal`() async throws {
    let stage = try await Stage()
    stage.server.advance(601)
    await stage.use()
    #expect(
      try await stage.told()
        == Told(
          "The session is active. Its last login, renewal or check succeeded at T. Its access token is valid until T.",
          Self.login + [
            "tests 1, process N was about to send the refresh token because the access token was expiring.",
            "The session was renewed. The access token is valid for 10 min.",
          ], .nothing))
  }

  @Test func `a refused refresh token`() async throws {
    let stage = try await Stage()
    stage.server.advance(601)
    stage.server.forgetRefreshTokens()
    await stage.use()
    #expect(
      try await stage.told()
        == Told(
          "The session ended at T: the server rejected the refresh token (400 invalid_grant). \(Self.unsaved)",
          Self.login + [
            "tests 1, process N was about to send the refresh token because the access token was expiring.",
            "Renewal failed: the server no longer accepts the refresh token (400 invalid_grant). This book had not "
              + "sent it before: it may have been used elsewhere, for example by a copy of the "
              + "book, or it was revoked or has expired.",
            "The session ended: the server rejected the refresh token (400 invalid_grant).",
          ], .logIn))
  }

  @Test func `a refresh token that had served before is not told to be new`() async throws {
    var settings = TokenServer.Settings()
    settings.rotates = false
    let stage = try await Stage(settings)
    stage.server.advance(601)
    await stage.use()
    stage.server.advance(601)
    stage.server.forgetRefreshTokens()
    await stage.use()
    let steps = try await stage.told().steps
    #expect(
      steps.contains(
        "Renewal failed: the server no longer accepts the refresh token (400 invalid_grant). It had "
          + "renewed the session before. The server may have revoked or lost it later. It may also have "
          + "expired, or be valid for one use although the server sent no new one."), "\(steps)")
  }

  @Test func `a refresh token that was used up by an answer which got lost`() async throws {
    let stage = try await Stage()
    stage.server.advance(601)
    stage.server.settings.lostAnswers = 1
    await stage.use()
    stage.server.advance(3)
    await stage.use()
    #expect(
      try await stage.told()
        == Told(
          "The session ended at T: the server rejected the refresh token after a renewal whose answer "
            + "was lost. That renewal may have used up the token, or the server revoked it meanwhile. "
            + Self.unsaved,
          Self.login + [
            "tests 1, process N was about to send the refresh token because the access token was expiring.",
            "No answer came (the server could not be reached, or the connection broke). If the request reached the "
              + "server, the refresh token may already be used.",
            "tests 1, process N was about to send the refresh token because the access token was expiring, for the "
              + "second time.",
            "Renewal failed: the server no longer accepts the refresh token (400 invalid_grant).",
            "The session ended: the server rejected the refresh token after a renewal whose answer was "
              + "lost. That renewal may have used up the token, or the server revoked it meanwhile (400).",
          ], .logIn))
  }

  @Test func `two answers that got lost`() async throws {
    let stage = try await Stage()
    stage.server.advance(601)
    stage.server.settings.lostQuestions = 2
    await stage.use()
    stage.server.advance(3)
    await stage.use()
    let told = try await stage.told()
    #expect(
      told.answer
        == "The session cannot be used now. The refresh token may have been sent more than once, and no answer was "
        + "recorded: it counts as used up. Its last login, renewal or check succeeded at T. "
        + "Its access token expired at T.")
    #expect(told.advice == .insist)
  }

  @Test func `a server in trouble, again and again`() async throws {
    let stage = try await Stage()
    stage.server.advance(601)
    stage.server.settings.isInTrouble = true
    for _ in 1...2 { await stage.use() }
    let told = try await stage.told()
    #expect(told.advice == .tryAgain)
    #expect(told.steps.last?.hasPrefix("Renewal failed: ") == true, "\(told)")
    #expect(told.steps.last?.contains(" such events, the first of them at T.") == true, "\(told)")
  }

  @Test func `two troubles in turn are two steps`() async throws {
    let stage = try await Stage()
    stage.server.advance(601)
    for turn in 1...3 {
      stage.server.settings.isInTrouble = false
      stage.server.settings.answer = HTTPReply(status: 500)
      await stage.use()
      stage.server.settings.answer = nil
      stage.server.settings.isInTrouble = true
      await stage.use()
      let told = try await stage.told().steps.filter { $0.hasPrefix("Renewal failed: ") }
      #expect(told.count == 2, "\(told)")
      if turn > 1 { #expect(told.allSatisfy { $0.contains("This line covers ") }, "\(told)") }
    }
  }

  @Test func `a life that ended with nothing to renew it`() async throws {
    var settings = TokenServer.Settings()
    settings.givesRefreshTokens = false
    let stage = try await Stage(settings)
    stage.server.advance(601)
    // Nobody has used it: only readers know.
    #expect(
      try await stage.told()
        == Told(
          "The session ended at T: it expired, and nothing had renewed it. "
            + Self.unsaved,
          Self.login + ["The session expired, and nothing had renewed it."],
          .logIn))
    await stage.use()
    let recorded = try await stage.told()
    #expect(
      recorded.steps.last == "The session expired, and nothing had renewed it.")
    #expect(recorded.advice == .logIn)
  }

  @Test func `a login again by what was saved`() async throws {
    var settings = TokenServer.Settings()
    settings.givesRefreshTokens = false
    let stage = try await Stage(settings, options: .saving)
    stage.server.advance(601)
    await stage.use()
    let told = try await stage.told()
    #expect(told.advice == .nothing)
    #expect(
      told.steps.contains(
        "tests 1, process N began to log the account in again at https://auth.example, with saved credentials."
      ), "\(told)")
  }

  @Test func `saved credentials that the server refuses`() async throws {
    var settings = TokenServer.Settings()
    settings.givesRefreshTokens = false
    let stage = try await Stage(settings, options: .saving)
    stage.server.advance(601)
    stage.server.settings.refusesPasswords = true
    await stage.use()
    let told = try await stage.told()
    #expect(
      told.answer.contains("The server rejected the saved credentials."), "\(told)")
    #expect(told.advice == .logIn)
  }

  @Test func `a logout`() async throws {
    let stage = try await Stage()
    try await stage.book.logOut(stage.account)
    let told = try await stage.told()
    #expect(told.answer == "The session ended at T: the user logged out.")
    #expect(
      told.steps.suffix(2) == [
        "tests 1, process N logged the account out, because the user asked for it.",
        "The server was not told, because it has no logout endpoint, or nothing to end.",
      ], "\(told)")
    #expect(told.advice == .logIn)
  }

  @Test func `a session that was resumed`() async throws {
    let stage = try await Stage()
    _ = try await stage.book.restore(stage.account)
    let told = try await stage.told()
    #expect(
      told.steps.last == "tests 1, process N resumed the session from the log, without the network."
    )
    #expect(told.advice == .use)
  }

  @Test func `too long without the server`() async throws {
    let stage = try await Stage(options: .limited)
    _ = try await stage.book.restore(stage.account)
    stage.server.settings.isDown = true
    stage.server.advance(4000)
    let told = try await stage.told()
    #expect(
      told.answer.hasPrefix(
        "The session is past its offline limit: the server has not confirmed it for longer than its login allows. "
          + "It ends at the next use unless the server confirms it"
      ),
      "\(told)")
    #expect(told.advice == .useOnline)
  }

  @Test func `a failed login of a known account`() async throws {
    let stage = try await Stage()
    stage.server.settings.refusesPasswords = true
    let method = try stage.server.method()
    await expect(.credentialsRefused) { () throws(GatebookError) in
      _ = try await stage.book.logIn(method)
    }
    let position = try #require(
      try BookReader.open(at: stage.world.path).events(EventFilter()).last?.position)
    let told = Told(try #require(try await stage.book.why(position)))
    #expect(
      told
        == Told(
          "A login by tests 1, process N failed: the server rejected the user name or the password (400 "
            + "invalid_grant).",
          [
            "tests 1, process N began a login at https://auth.example by oauth2.",
            "A login by tests 1, process N failed: the server rejected the user name or the password "
              + "(400 invalid_grant).",
          ], .logIn))
  }

  @Test func `an account or an event that is not there`() async throws {
    let stage = try await Stage()
    #expect(try await stage.book.why(Position(rawValue: 9999)) == nil)
    let other = AccountID(high: 7, low: 7)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await stage.book.why(other)
    }
  }
}

extension LoginOptions {
  /// Lets Gatebook log the account in again automatically.
  fileprivate static var saving: LoginOptions {
    var options = LoginOptions()
    options.saveCredentials = true
    return options
  }

  /// Lets the session go without the server for an hour.
  fileprivate static var limited: LoginOptions {
    var options = LoginOptions()
    options.offlineLimit = .seconds(3600)
    return options
  }
}
