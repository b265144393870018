import Gatebook
import GatebookFakes
import Testing

/// An account is a person at a server by a client.
@Suite struct AccountClientTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
  }

  private func logIn(
    _ client: String, scopes: [String] = [], account: AccountID? = nil, _ book: SessionBook? = nil
  ) async throws(GatebookError) -> SessionContext {
    var application = OAuth2Application(clientID: client)
    application.scopes = scopes
    var options = LoginOptions()
    options.account = account
    var places = OAuth2Server()
    places.userInfoURL = HTTPURL("\(TokenServer.site)/me")
    guard let tokens = HTTPURL("\(TokenServer.site)/token") else {
      throw GatebookError(.configurationInvalid, "It is no URL.", remedy: "Mend the test.")
    }
    return try await (book ?? self.book).logIn(
      .oauth2(
        tokenURL: tokens, places, application: application,
        flow: .password(user: "ada", Secret("rabbit"))), options: options)
  }

  @Test func `two clients at one server are two accounts, each with its own session`() async throws
  {
    let mail = try await logIn("mail")
    let files = try await logIn("files")
    #expect(mail.account != files.account)
    #expect(mail.client == "mail")
    #expect(files.client == "files")
    #expect(try await book.context(of: mail.account).state == .active)
    // The same client is the same account, whatever scopes it asks for.
    #expect(try await logIn("mail", scopes: ["mail.read"]).account == mail.account)
    #expect(try await book.accounts().count == 2)
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `a login for an account by another client is refused`() async throws {
    let mail = try await logIn("mail")
    let error = await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await logIn("files", account: mail.account)
    }
    #expect(error?.message.contains("another client") == true, "\(String(describing: error))")
    #expect(try await book.accounts().count == 1)
  }

  @Test func `the client is in the account's first event and in the clear`() async throws {
    _ = try await logIn("mail")
    let reader = try BookReader.open(at: world.path)
    let added = try #require(
      try reader.events(EventFilter()).first { $0.kind == "account.added" })
    #expect(added.data["client"]?.text == "mail")
    #expect(try reader.accounts().first?.client == "mail")
  }

  @Test func `an account of an older book is taken by its own client alone`() async throws {
    let old = try await book.logIn(oldMethod("mail"))
    #expect(old.client == nil)
    let files = try await logIn("files")
    #expect(files.account != old.account)
    let again = try await logIn("mail")
    #expect(again.account == old.account)
    #expect(again.client == "mail")
    let events = try BookReader.open(at: world.path).events(EventFilter())
    let logins = events.filter { $0.kind == "login.succeeded" && $0.account == old.account }
    #expect(logins.map { $0.data["client"]?.text } == [nil, "mail"])
    // From now on its events say it.
    #expect(try await logIn("mail").account == old.account)
    #expect(try await book.accounts().count == 2)
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `an account of an older book is its client's also after a logout`() async throws {
    let old = try await book.logIn(oldMethod("mail"))
    try await book.logOut(old.account)
    #expect(try await logIn("files").account != old.account)
    #expect(try await logIn("mail").account == old.account)
  }

  @Test func `a book that continues an archive tells clients apart`() async throws {
    let mail = try await logIn("mail")
    let old = try await book.logIn(oldMethod("notes"))
    #expect(old.account != mail.account)
    _ = try await book.archive(to: world.path + ".archive")
    #expect(try await logIn("mail").account == mail.account)
    #expect(try await logIn("notes").account == old.account)
    #expect(try await ![mail.account, old.account].contains(logIn("files").account))
    #expect(
      try BookReader.open(at: world.path).accounts().map(\.client).compactMap(\.self).sorted() == [
        "files", "mail", "notes",
      ])
  }

  private func method(_ client: String) throws -> LoginMethod {
    var places = OAuth2Server()
    places.userInfoURL = HTTPURL("\(TokenServer.site)/me")
    return .oauth2(
      tokenURL: try #require(HTTPURL("\(TokenServer.site)/token")), places,
      application: OAuth2Application(clientID: client),
      flow: .password(user: "ada", Secret("rabbit")))
  }

  /// As versions logged in that knew no clients.
  private func oldMethod(_ client: String) throws -> LoginMethod {
    let method = try method(client)
    var person = method.person
    person.client = ""
    return LoginMethod(
      name: method.name, person: person, origin: method.origin, settings: method.settings
    ) {
      Clientless(base: method.authenticator())
    }
  }
}

/// Finishes as another login does, and names no client.
private struct Clientless: Authenticator {
  var base: any Authenticator

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    let step = try base.next(input)
    guard case .finish(var outcome) = step else { return step }
    outcome.person.client = ""
    return .finish(outcome)
  }
}
