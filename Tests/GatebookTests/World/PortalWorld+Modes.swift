import Gatebook
import GatebookFakes
import Testing

extension PortalWorld {
  /// The redirect URI of an app with a scheme of its own.
  static let callback = "screens://oauth2_callback"

  /// The method that logs a user in by a mode.
  func method(
    _ mode: PortalMode, _ user: FakePortalUser = .ada, companyID: Int64 = 10154,
    callback: String = PortalWorld.callback, options: PortalOptions = PortalOptions()
  ) throws -> LoginMethod {
    var liferay = try liferay(portal.switches.version == .v62 ? .v62 : .v7)
    liferay.companyID = companyID
    return .liferay(liferay, try login(mode, user, callback, options))
  }

  private func login(
    _ mode: PortalMode, _ user: FakePortalUser, _ callback: String, _ options: PortalOptions
  ) throws -> LiferayLogin {
    let password = Secret(user.password)
    switch mode {
    case .email: return .basic(.email(user.emailAddress), password: password)
    case .screenName: return .basic(.screenName(user.screenName), password: password)
    case .userID: return .basic(.userID(user.userID), password: password)
    case .cookie: return .cookie(login: user.emailAddress, password: password)
    case .oauth1:
      let consumer = FakePortalConsumer.sample
      return .oauth(
        consumerKey: consumer.key, consumerSecret: Secret(consumer.secret), callback: callback)
    case .oauth2Redirect:
      return .oauth2Redirect(
        clientID: FakePortalApplication.native.clientID, redirectURI: callback,
        scopes: options.scopes, paths: options.paths)
    case .oauth2Password:
      let application = FakePortalApplication.confidential
      return .oauth2Password(
        user: user.emailAddress, password: password, clientID: application.clientID,
        clientSecret: Secret(try #require(application.secret)), scopes: options.scopes,
        paths: options.paths)
    }
  }

  /// Logs a user in by a mode; a visitor plays the person at the portal's page.
  func logIn(
    _ mode: PortalMode, _ user: FakePortalUser = .ada, options: LoginOptions = LoginOptions()
  ) async throws -> SessionContext {
    try await logIn(method(mode, user), user, options: options)
  }

  /// Logs a user in; a visitor plays the person at the portal's page, if there is one.
  func logIn(
    _ method: LoginMethod, _ user: FakePortalUser = .ada, options: LoginOptions = LoginOptions()
  ) async throws -> SessionContext {
    guard method.opensPage else { return try await book.logIn(method, options: options) }
    let pending = try await book.beginLogIn(method, options: options)
    return try await book.finishLogIn(redirect: redirect(of: pending, user))
  }

  /// Where the portal sends the person who visited a login's page.
  func redirect(
    of pending: PendingLogin, _ user: FakePortalUser = .ada,
    _ decision: PortalVisitor.Decision = .approve
  ) async throws -> String {
    let ending = try await PortalVisitor(user).visit(pending.page.description, decision)
    guard case .redirected(let uri) = ending else {
      Issue.record("The visit ended with \(ending).")
      return ""
    }
    return uri
  }

  /// A call of the app that asks who the caller is.
  func call() throws -> HTTPRequest {
    let command =
      portal.switches.version == .v62
      ? "/screens-web.screensuser/get-current-user" : "/user/get-current-user"
    return HTTPRequest(
      "POST", try url("/api/jsonws/invoke"),
      fields: [HTTPField("Content-Type", "application/json")],
      body: Array("[{\"\(command)\":{}}]".utf8))
  }

  /// The kinds of the events after the first ones.
  func kinds(after count: Int = 0) throws -> [String] {
    Array(try world.kinds().dropFirst(count))
  }

  /// The refresh tokens that the portal was sent, in their order.
  func refreshTokensSent() -> [String] {
    portal.requests(to: .token).compactMap {
      FormFields(decoding: $0.request.body)?["refresh_token"]
    }
  }

  /// The files of the book, read as bytes.
  func files() -> [TestFile] {
    ["", "-wal", "-shm", "-lock"].map { TestFile.read(world.path + $0) }
  }
}

/// What only the OAuth 2 modes can be told.
struct PortalOptions {
  var scopes: [String] = []
  var paths = LiferayOAuth2Paths()
}
