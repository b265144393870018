import Gatebook
import GatebookFakes
import GatebookStore
import GatebookTestSupport
import Testing

/// What must not end a session, leave it unsaid or tell too much.
@Suite struct HonestTests {
  @Test func `a login page after a redirect is a lost session too`() async throws {
    let server = FormServer()
    let world = try TestBook()
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        guard request.url.path != "/corner" else {
          return HTTPReply(status: 302, fields: [HTTPField("Location", "/page")])
        }
        return try await server.transport.send(request, through: route)
      })
    _ = try await book.logIn(server.login())
    server.endSessions()
    let reply = try await book.send(.get(server.url("/corner")))
    #expect(reply.body == Array("ok".utf8))
    #expect(server.logins == 2)
  }

  @Test func `cookies that cannot be read are an error and no lost session`() async throws {
    let server = FormServer()
    let world = try TestBook()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.login())
    try await world.overwriteCookies(of: ada.account, with: Array("{\"next\":1}".utf8))
    let page = try server.url("/page")
    let error = await #expect(throws: GatebookError.self) { try await book.send(.get(page)) }
    #expect(error?.code == .storageDamaged)
    #expect(try await book.context(of: ada.account).state.isUsable)
    #expect(server.logins == 1)
  }

  @Test func `further origins without TLS need the permission that passwords need`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    var options = LoginOptions()
    options.origins = [Origin(scheme: "http", host: "portal.example", port: 80)]
    let refused = options
    let error = await #expect(throws: GatebookError.self) {
      try await book.logIn(.basic(), options: refused)
    }
    #expect(error?.code == .loginCleartext)
    #expect(server.transport.requests.isEmpty)
    options.allowsCleartext = true
    _ = try await book.logIn(.basic(), options: options)
    #expect(try world.kinds().contains("trust.decided"))
  }

  @Test func `a 403 of a server that asks with 401 ends no session`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic())
    _ = try await book.restore(ada.account)
    server.set(.status(403))
    let page = try #require(HTTPURL("http://127.0.0.1:8080/private/page"))
    #expect(try await book.send(.get(page)).status == 403)
    #expect(try await book.context(of: ada.account).state.isUsable)
  }

  @Test func `a proof answered for another user is refused and recorded`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.cookie(refreshes: false))
    _ = try await world.book.restore(ada.account)
    world.portal.inject(.misreport(777), on: .invoke)
    let document = HTTPRequest.get(try world.url("/documents/1"))
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.send(document)
    }
    #expect(error?.code == .identityMismatch)
    let context = try await world.book.context(of: ada.account)
    #expect(context.state == .needsLogin(.identityMismatch))
    #expect(context.user["userId"] == "123456")
    #expect(world.portal.requests(to: .documents).isEmpty)
  }

  @Test func `a cookie's path and an odd name are encrypted, because they may name a person`()
    async throws
  {
    let world = try TestBook()
    let book = try await world.open(
      ScriptedTransport { request, _ throws(TransportFailure) in
        guard request.fields.first("Authorization") != nil else {
          return HTTPReply(
            status: 401, fields: [HTTPField("WWW-Authenticate", "Basic realm=\"x\"")])
        }
        return HTTPReply(
          status: 200,
          fields: [
            HTTPField("Set-Cookie", "plain=1; Path=/home/canary-path"),
            HTTPField("Set-Cookie", "canary@name=1; Path=/"),
          ])
      })
    let ada = try await book.logIn(.basic())
    await book.close()
    #expect(!TestFile.read(world.path).holds("canary-path"))
    #expect(!TestFile.read(world.path).holds("canary@name"))
    let reader = try BookReader.open(at: world.path, key: KeyFile(path: world.keyPath))
    let event = try #require(
      try reader.events(EventFilter()).first { $0.kind == "cookies.changed" })
    #expect(event.account == ada.account)
    #expect(event.data["cookies"]?.list?.count == 2)
    #expect(event.personal?.value?["cookies"]?.list?.count == 2)
  }
}

extension TestBook {
  /// Writes what no Gatebook wrote in the place of an account's cookies.
  fileprivate func overwriteCookies(of account: AccountID, with bytes: [UInt8]) async throws {
    let store = try await EventStore.open(
      at: path, key: KeyFile(path: keyPath),
      program: Program(
        name: "tests", version: "1", installation: InstallationID(high: 1, low: 2)),
      clock: clock, random: SystemRandom(), wait: .seconds(10))
    var append = Append([ProposedEvent(.clockObserved, account: account, data: ["jump": 1])])
    append.vault = [.set(account, purpose: "cookies", generation: 1, content: bytes)]
    _ = try await store.append(append)
    await store.close()
  }
}
