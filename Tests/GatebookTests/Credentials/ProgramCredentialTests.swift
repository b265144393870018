import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// `credential(of:for:realm:)`.
@Suite struct ProgramCredentialTests {
  private func url(_ text: String) throws -> HTTPURL { try #require(HTTPURL(text)) }

  private static let host = "http://127.0.0.1:8080"

  @Test(
    arguments: [
      ("/", nil), ("/private/", nil), ("/private/repo.git", nil), ("/private/a?b=c", "private"),
      ("/", "private"),
    ] as [(String, String?)])
  func `a password is handed out inside its space`(_ path: String, _ realm: String?) async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic())
    let credential = try await book.credential(
      of: ada.account, for: url(Self.host + path), realm: realm)
    #expect(credential.kind == .password)
    #expect(credential.user == "ada")
    #expect(credential.secret == Secret("lovelace"))
    #expect(credential.expiresAt == nil)
    #expect(credential.isRecorded)
  }

  @Test(
    arguments: [
      ("/other", nil), ("/privateer", nil), ("/private/../other", nil),
      ("/private/%2e%2e/other", nil),
      ("/", "elsewhere"), ("/private/", "Private"),
    ] as [(String, String?)])
  func `a password is for no other part and no other realm`(
    _ path: String, _ realm: String?
  ) async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic())
    let place = try url(Self.host + path)
    let error = await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.credential(of: ada.account, for: place, realm: realm)
    }
    #expect(error?.message.contains("lovelace") == false)
    #expect(try await book.context(of: ada.account).state == .active)
  }

  @Test(arguments: [
    "https://127.0.0.1:8080/private/", "http://127.0.0.1:8081/private/", "http://localhost:8080/",
  ])
  func `no other server gets a credential`(_ text: String) async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic())
    let url = try url(text)
    await expect(.originForeign) { () throws(GatebookError) in
      _ = try await book.credential(of: ada.account, for: url)
    }
  }

  @Test func `a login by Digest has no password to hand out`() async throws {
    let world = try await PortalWorld.gated(.sha256)
    let page = try world.url("/web/guest")
    let ada = try await world.book.logIn(
      .http(url: page, user: "gate", password: Secret("front door word")))
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await world.book.credential(of: ada.account, for: page)
    }
  }

  @Test func `a token that is bound to a key is not handed out`() async throws {
    let party = try await RelyingParty { $0.bindsTokens = true }
    var application = RelyingParty.application()
    application.bindsTokens = true
    let ada = try await party.logIn(application).get()
    let site = try url(party.server.url)
    let error = await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await party.book.credential(of: ada.account, for: site)
    }
    #expect(error?.message.contains("DPoP") == true)
  }

  @Test func `a token is handed out while it is valid, and renewed first when it is due`()
    async throws
  {
    let (world, server, book) = try await TokenServer.stage()
    defer { withExtendedLifetime(world) {} }
    let ada = try await book.logIn(server.method())
    let site = try url(TokenServer.site + "/any/path")
    let first = try await book.credential(of: ada.account, for: site)
    #expect(first.kind == .token)
    #expect(first.user == "ada")
    #expect(first.secret == Secret("acc-1"))
    #expect(first.expiresAt == world.clock.now().wall + .seconds(600))
    #expect(server.tokenRequests == 1)
    server.advance(590)
    let second = try await book.credential(of: ada.account, for: site)
    #expect(second.secret == Secret("acc-2"))
    #expect(server.refreshTokensSent == ["ref-1"])
  }

  @Test func `what the book alone would answer is what the long way answers`() async throws {
    let (world, server, book) = try await TokenServer.stage()
    let ada = try await book.logIn(server.method())
    let site = try url(TokenServer.site + "/")
    let reader = try BookReader.open(at: world.path, key: KeyFile(path: world.keyPath))
    // Up to its last fifth, in it, and near its end.
    for seconds in [0, 300, 200, 70] {
      server.advance(seconds)
      let holders = try reader.credentialHolders(at: site, now: world.clock.now())
      let holder = try #require(holders.count == 1 ? holders.first : nil)
      #expect(holder.context.account == ada.account)
      let requests = server.tokenRequests
      let credential = try await book.credential(of: ada.account, for: site)
      #expect(holder.isReady == (server.tokenRequests == requests), "\(seconds)")
      if holder.isReady { #expect(holder.credential?.secret == credential.secret) }
    }
  }

  @Test func `a book that is read alone names the accounts of a URL only`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic())
    let reader = try BookReader.open(at: world.path, key: KeyFile(path: world.keyPath))
    let now = world.clock.now()
    let here = try reader.credentialHolders(at: url(Self.host + "/"), now: now)
    #expect(here.map(\.context.account) == [ada.account])
    #expect(here.first?.credential?.secret == Secret("lovelace"))
    #expect(here.first?.isReady == true)
    #expect(try reader.credentialHolders(at: url("https://x.example/"), now: now).isEmpty)
    let outside = try reader.credentialHolders(at: url(Self.host + "/other"), now: now)
    #expect(outside.count == 1)
    #expect(outside.first?.credential == nil)
    #expect(
      try reader.credentialHolders(
        at: url(Self.host + "/"), realms: ["elsewhere", "private"], now: now
      ).first?.credential != nil)
    #expect(
      try reader.credentialHolders(at: url(Self.host + "/"), realms: ["elsewhere"], now: now)
        .first?.credential == nil)
    try await book.logOut(ada.account)
    let after = try reader.credentialHolders(at: url(Self.host + "/"), now: now)
    #expect(after.first?.credential == nil)
    #expect(after.first?.isReady == false)
  }
}
