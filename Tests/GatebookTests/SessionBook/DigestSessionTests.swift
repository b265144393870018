import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct DigestSessionTests {
  private func digest(_ world: PortalWorld) throws -> LoginMethod {
    .http(url: try world.url("/web/guest"), user: "gate", password: Secret("front door word"))
  }

  @Test(arguments: [FakePortalFront.Scheme.md5, .sha256])
  func `a Digest session is verified after a restart, without its password`(
    _ scheme: FakePortalFront.Scheme
  ) async throws {
    let world = try await PortalWorld.gated(scheme)
    let ada = try await world.book.logIn(digest(world))
    await world.book.close()
    #expect(!TestFile.read(world.world.path).holds("front door word"))
    let again = try await world.world.open(world.transport)
    #expect(try await again.restore(ada.account).state != .active)
    #expect(try await again.send(.get(world.url("/web/guest"))).status == 200)
    #expect(try await again.context(of: ada.account).state == .active)
  }

  /// RFC 7616 section 3.6: "the client may retry the request with the new nonce"; not each server
  /// says `stale`.
  @Test(arguments: ["", ", stale=false"])
  func `a new nonce is answered once, whatever the server calls the old one`(
    _ stale: String
  ) async throws {
    let world = try await PortalWorld.gated(.sha256)
    world.portal.switches.front?.nonceUses = 1
    let refusals = TestBox(0)
    let transport = world.transport
    let book = try await world.world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        var reply = try await transport.send(request, through: route)
        let fields = reply.fields.map { field in
          HTTPField(field.name, field.value.replacing(", stale=true", with: stale))
        }
        if fields != reply.fields { refusals.value += 1 }
        reply.fields = fields
        return reply
      })
    let ada = try await book.logIn(digest(world))
    let before = refusals.value
    for _ in 1...3 {
      #expect(try await book.send(.get(world.url("/web/guest"))).status == 200)
    }
    // The login's last answer named the nonce of the first.
    #expect(refusals.value == before + 2)
    #expect(try await book.context(of: ada.account).state == .active)
  }

  @Test func `an answer in the server's place is not used, and ends no Digest session`()
    async throws
  {
    let world = try await PortalWorld.gated(.sha256)
    let ada = try await world.book.logIn(digest(world))
    await world.book.close()
    let isFalse = TestBox(true)
    let transport = world.transport
    let again = try await world.world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        var reply = try await transport.send(request, through: route)
        guard isFalse.value, request.fields.first("Authorization") != nil else { return reply }
        reply.fields.removeAll { $0.name.lowercased() == "authentication-info" }
        reply.fields.append(HTTPField("Authentication-Info", "rspauth=\"0\""))
        return reply
      })
    _ = try await again.restore(ada.account)
    let page = HTTPRequest.get(try world.url("/web/guest"))
    await expect(.identityMismatch) { () throws(GatebookError) in _ = try await again.send(page) }
    _ = try await again.sync()
    #expect(try await again.context(of: ada.account).state.isUsable)
    #expect(try !world.world.kinds().contains("session.ended"))
    isFalse.value = false
    #expect(try await again.send(page).status == 200)
    #expect(try await again.context(of: ada.account).state == .active)
  }

  @Test func `another realm ends no Digest session`() async throws {
    let world = try await PortalWorld.gated(.sha256)
    let ada = try await world.book.logIn(digest(world))
    world.portal.switches.front = FakePortalFront(
      realm: "Another gate", name: "other", password: "other", schemes: [.sha256])
    let url = try world.url("/documents/1")
    let reply = try await world.book.send(.get(url))
    #expect(reply.status == 401)
    #expect(reply.fields.first("WWW-Authenticate")?.contains("Another gate") == true)
    #expect(try await world.book.context(of: ada.account).state == .active)
    world.portal.switches.front = .gate(.sha256)
    #expect(try await world.book.send(.get(world.url("/web/guest"))).status == 200)
  }

  @Test func `a resumed session meets another realm, and the answer is the caller's`()
    async throws
  {
    let world = try await PortalWorld.gated(.sha256)
    let ada = try await world.book.logIn(digest(world))
    world.portal.switches.front?.realm = "Another gate"
    let again = try await world.world.open(world.transport)
    #expect(try await again.restore(ada.account).state != .active)
    #expect(try await again.send(.get(world.url("/documents/1"))).status == 401)
    #expect(try await again.context(of: ada.account).state.isUsable)
  }

  @Test func `a page that refuses ends no Digest session, and its answer is the caller's`()
    async throws
  {
    let world = try await PortalWorld.gated(.sha256)
    let ada = try await world.book.logIn(digest(world))
    world.portal.switches.front?.closedPaths = ["/documents/1"]
    let reply = try await world.book.send(.get(world.url("/documents/1")))
    #expect(reply.status == 401)
    #expect(reply.fields.first("WWW-Authenticate")?.contains("The gate") == true)
    let last = try #require(world.portal.requests(to: .documents).last)
    #expect(last.request.fields["Authorization"]?.hasPrefix("Digest ") == true)
    #expect(try await world.book.context(of: ada.account).state == .active)
    #expect(try !world.kinds().contains("session.ended"))
    #expect(try await world.book.send(.get(world.url("/web/guest"))).status == 200)
  }

  @Test func `a given Digest credential is used beside the session's own`() async throws {
    let world = try await PortalWorld.gated(.sha256)
    _ = try await world.book.logIn(digest(world))
    let other = FakePortalFront(
      realm: "Another gate", name: "other", password: "other word", schemes: [.sha256])
    let resolver = ScriptedResolver(
      .useCredential(
        ChallengeCredential(
          user: "other", password: Secret("other word"), persistence: .forSession)))
    await world.book.register(resolver)
    let page = HTTPRequest.get(try world.url("/web/guest"))
    var statuses: [Int] = []
    for front in [other, .gate(.sha256), other] {
      world.portal.switches.front = front
      statuses.append(try await world.book.send(page).status)
    }
    let again = try await world.world.open(world.transport)
    for front in [other, .gate(.sha256), other] {
      world.portal.switches.front = front
      statuses.append(try await again.send(page).status)
    }
    #expect(statuses == Array(repeating: 200, count: 6))
    // A process of its own, which knows no nonce yet: the session's own password is the default.
    #expect(resolver.asked == ["digest Another gate 0", "digest The gate 0"])
  }

  @Test func `the session's own credential goes first by default, and once`() async throws {
    let world = try await PortalWorld.gated(.sha256)
    _ = try await world.book.logIn(digest(world))
    world.portal.switches.front = FakePortalFront(
      realm: "The gate", name: "new", password: "new word", schemes: [.sha256])
    let resolver = ScriptedResolver(
      .performDefaultHandling,
      .useCredential(ChallengeCredential(user: "wrong", password: Secret("wrong word"))),
      .useCredential(ChallengeCredential(user: "new", password: Secret("new word"))))
    await world.book.register(resolver)
    let again = try await world.world.open(world.transport)
    await again.register(resolver)
    let before = world.portal.requests.count
    #expect(try await again.send(.get(world.url("/web/guest"))).status == 200)
    let users = world.portal.requests.dropFirst(before).map { request in
      ["gate", "wrong", "new"].first { user in
        request.request.fields["Authorization"]?.contains("username=\"\(user)\"") == true
      } ?? "-"
    }
    #expect(users == ["-", "gate", "wrong", "new"])
    #expect(resolver.challenges.map(\.previousFailureCount) == [0, 1, 2])
  }

  @Test func `requests share one nonce and each has a count of its own`() async throws {
    let world = try await PortalWorld.gated(.sha256)
    _ = try await world.book.logIn(digest(world))
    let url = try world.url("/web/guest")
    _ = try await world.book.send(.get(url))
    let before = world.portal.requests.count
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { try await world.book.send(.get(url)).status }
      }
      for try await status in group { #expect(status == 200) }
    }
    let sent = world.portal.requests.dropFirst(before)
    // A count that overtook another one on its way is answered by a new nonce, and sent again.
    #expect(sent.count >= 8)
    #expect(Set(sent.compactMap { $0.request.fields["Authorization"] }).count == sent.count)
  }

  @Test func `what is kept for challenges proves no login with a wrong password`() async throws {
    let world = try await PortalWorld.gated(.basic)
    let resolver = ScriptedResolver(.useCredential(.gate(.permanent)))
    await world.book.register(resolver)
    _ = try await world.book.logIn(world.cookie())
    await world.book.removeResolver()
    let url = try world.url("/web/guest")
    await expect(.credentialsRefused) { () throws(GatebookError) in
      _ = try await world.book.logIn(
        .http(url: url, user: "gate", password: Secret("wrong door word")))
    }
    #expect(
      try await world.book.logIn(
        .http(url: url, user: "gate", password: Secret("front door word"))
      ).state == .active)
  }
}
