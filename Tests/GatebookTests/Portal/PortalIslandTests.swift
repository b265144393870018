import Gatebook
import GatebookFakes
import Testing

/// What one account proves itself with is never seen in another's requests.
@Suite struct PortalIslandTests {
  /// What of a request proves its sender: cookies, tokens, signatures and nonces, each one
  /// separately.
  private static func proofs(of request: LoopbackRequest) -> Set<String> {
    var proofs: Set<String> = []
    for cookie in (request.fields["Cookie"] ?? "").split(separator: "; ")
    where cookie.hasPrefix("JSESSIONID=") || cookie.hasPrefix("ID=") {
      proofs.insert(String(cookie))
    }
    if let token = request.fields["X-CSRF-Token"] { proofs.insert("token \(token)") }
    // At the token endpoint it is the application that both accounts came through.
    guard let field = request.fields["Authorization"], request.path != "/o/oauth2/token" else {
      return proofs
    }
    guard let blank = field.firstIndex(of: " "), field.contains("=\"") else {
      return proofs.union([field])
    }
    for part in field[blank...].split(separator: ",") {
      let text = part.drop { $0 == " " }
      let isOwn = ["oauth_token=", "oauth_nonce=", "oauth_signature=", "nonce=", "cnonce="]
        .contains { text.hasPrefix($0) }
      if isOwn { proofs.insert(String(text)) }
    }
    return proofs
  }

  /// Expects each proof in the requests of one user alone.
  private static func check(_ portal: FakeLiferayPortal, atLeast count: Int) {
    var owners: [String: Set<Int64>] = [:]
    for request in portal.requests {
      guard let user = request.userID else { continue }
      for proof in proofs(of: request.request) { owners[proof, default: []].insert(user) }
    }
    #expect(owners.count >= count)
    for (proof, users) in owners { #expect(users.count == 1, "\(proof) was sent by \(users).") }
  }

  @Test(arguments: PortalMode.allCases, PortalMode.allCases)
  func `two accounts of one server share nothing`(
    first: PortalMode, second: PortalMode
  ) async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(first, .ada)
    let ben = try await world.logIn(second, .ben)
    let call = try world.call()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (account, user) in [(ada, FakePortalUser.ada), (ben, .ben), (ada, .ada), (ben, .ben)] {
        group.addTask {
          let reply = try await world.book.send(call, as: account.account)
          #expect(reply.status == 200)
          #expect(String(decoding: reply.body, as: UTF8.self).contains(user.emailAddress))
        }
      }
      try await group.waitForAll()
    }
    Self.check(world.portal, atLeast: 2)
    _ = try await world.book.logOut(ada.account)
    #expect(try await world.book.send(call, as: ben.account).status == 200)
    #expect(try await world.book.context(of: ben.account).state == .active)
    Self.check(world.portal, atLeast: 2)
  }

  @Test func `the Digest nonces of two accounts are their own`() async throws {
    let world = try await PortalWorld()
    world.portal.switches.front = .gate(.sha256)
    await world.book.register(ScriptedResolver(last: .useCredential(.gate(.forSession))))
    let ada = try await world.logIn(.cookie, .ada)
    let ben = try await world.logIn(.cookie, .ben)
    let document = HTTPRequest.get(try world.url("/documents/1"))
    for account in [ada, ben, ada, ben] {
      #expect(try await world.book.send(document, as: account.account).status == 200)
    }
    Self.check(world.portal, atLeast: 8)
  }

  @Test func `two servers in one book hear nothing of each other`() async throws {
    let world = try await PortalWorld()
    let other = try FakeLiferayPortal(seed: 2, clock: world.world.clock)
    try other.start()
    defer { other.stop() }
    let ada = try await world.logIn(.cookie)
    let liferay = LiferayPortal(server: try #require(HTTPURL(other.url)), companyID: 10154)
    let user = FakePortalUser.ada
    let twin = try await world.book.logIn(
      .liferay(liferay, .cookie(login: user.emailAddress, password: Secret(user.password))))
    #expect(twin.account != ada.account)
    let there = HTTPRequest.get(try #require(HTTPURL("\(other.url)/documents/1")))
    let here = HTTPRequest.get(try world.url("/documents/1"))
    #expect(try await world.book.send(here, as: ada.account).status == 200)
    #expect(try await world.book.send(there, as: twin.account).status == 200)
    await expect(.originForeign) { () throws(GatebookError) in
      _ = try await world.book.send(there, as: ada.account)
    }
    #expect(other.requests.allSatisfy { $0.request.path != "/documents/1" || $0.userID != nil })
    let secrets = world.portal.secretsIssued
    #expect(!secrets.isEmpty)
    for request in other.requests {
      let text = request.request.fields.all.map(\.value).joined(separator: "\n")
      for secret in secrets { #expect(!text.contains(secret)) }
    }
  }
}
