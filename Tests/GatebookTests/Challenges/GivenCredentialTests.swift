import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// What a given credential answers, now and after a restart.
@Suite struct GivenCredentialTests {
  private static func challenged(_ challenges: String...) -> HTTPReply {
    HTTPReply(status: 401, fields: challenges.map { HTTPField("WWW-Authenticate", $0) })
  }

  private static let basic = "Basic realm=\"gate\""
  private static let sha256 =
    "Digest realm=\"gate\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"

  /// The scheme of the answer; `-` for none.
  private static func answer(
    of given: GivenCredential, to reply: HTTPReply
  ) throws -> String {
    var authorizer = given.authorizer
    let request = HTTPRequest.get(try #require(HTTPURL("\(given.server)/")))
    let attempt = HTTPAttempt(unanswered: request)
    guard
      case .resend(let next) = authorizer.receive(
        reply, to: attempt, random: Array(repeating: 7, count: 16))
    else { return "-" }
    let field = next.request.fields.first("Authorization") ?? "-"
    return String(field.prefix { $0 != " " })
  }

  private static func given(
    at site: String, allowsCleartext: Bool = false, strength: HTTPStrength = .basic
  ) throws -> GivenCredential {
    GivenCredential(
      server: try #require(HTTPURL(site)).origin, realm: "gate",
      credential: HTTPCredential(user: "ada", .password(Secret("rabbit"))), isPermanent: false,
      allowsCleartext: allowsCleartext, strength: strength)
  }

  @Test(arguments: [
    ("http://gate.example.test", false, "-"), ("http://gate.example.test", true, "Basic"),
    ("https://gate.example.test", false, "Basic"), ("http://127.0.0.1:8080", false, "Basic"),
  ])
  func `Basic without TLS is answered only where it was permitted, also when read back`(
    site: String, allowsCleartext: Bool, expected: String
  ) throws {
    let given = try Self.given(at: site, allowsCleartext: allowsCleartext)
    let read = try #require(GivenCredential(record: given.record))
    #expect(read == given)
    for given in [given, read] {
      #expect(try Self.answer(of: given, to: Self.challenged(Self.basic)) == expected)
      #expect(try Self.answer(of: given, to: Self.challenged(Self.sha256)) == "Digest")
    }
  }

  @Test(arguments: [
    ("http://gate.example.test", "-"), ("https://gate.example.test", "Basic"),
    ("http://localhost:8080", "Basic"),
  ])
  func `a record without the permission permits nothing`(site: String, expected: String) throws {
    var record = try Self.given(at: site, allowsCleartext: true).record
    record["cleartext"] = nil
    record["strength"] = nil
    let read = try #require(GivenCredential(record: record))
    #expect(try Self.answer(of: read, to: Self.challenged(Self.basic)) == expected)
  }

  @Test func `what was given for Digest answers nothing weaker, also when read back`() throws {
    let given = try Self.given(
      at: "https://gate.example.test", allowsCleartext: true, strength: .digest(.sha256))
    let read = try #require(GivenCredential(record: given.record))
    let md5 = "Digest realm=\"gate\", nonce=\"n\", qop=\"auth\", algorithm=MD5"
    for given in [given, read] {
      #expect(try Self.answer(of: given, to: Self.challenged(Self.basic, md5)) == "-")
      #expect(try Self.answer(of: given, to: Self.challenged(Self.basic, Self.sha256)) == "Digest")
    }
  }

  @Test(arguments: [HTTPStrength.basic, .digest(.md5), .digest(.sha256), .digest(.sha512Over256)])
  func `a strength is read as it was written`(strength: HTTPStrength) {
    #expect(HTTPStrength(name: strength.name) == strength)
    #expect(HTTPStrength(name: "Negotiate") == nil)
  }

  @Test(arguments: [ChallengeCredential.Persistence.forSession, .permanent])
  func `a password that went by Digest never goes in the clear to a server that turns weak`(
    persistence: ChallengeCredential.Persistence
  ) async throws {
    let server = RealmServer()
    let world = try TestBook()
    let book = try await world.open(server.transport)
    var options = LoginOptions()
    options.allowsCleartext = true
    options.origins = [try RealmServer.url("/", at: RealmServer.neighbour).origin]
    _ = try await book.logIn(RealmServer.login(), options: options)
    await book.register(RealmServer.resolver(persistence))
    let page = HTTPRequest.get(try RealmServer.url("/", at: RealmServer.neighbour))
    #expect(try await book.send(page).status == 200)
    #expect(server.sentToNeighbour == ["-", "Digest"])
    await book.removeResolver()
    server.weaken()
    #expect(try await book.send(page).status == 401)
    await book.close()
    let again = try await world.open(server.transport)
    #expect(try await again.send(page).status == 401)
    #expect(!server.sentToNeighbour.contains("Basic"))
  }

  @Test func `a challenge that no password answers leads to the next one of the same answer`()
    async throws
  {
    let server = ScriptedTransport { request, _ in
      let field = request.fields.first("Authorization") ?? ""
      guard !field.hasPrefix("Basic") else { return HTTPReply(status: 200) }
      return Self.challenged(
        "Digest realm=\"gate\", nonce=\"n\", algorithm=SHA-1, qop=\"auth\"",
        "Basic realm=\"gate\"")
    }
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    _ = try await book.logIn(.basic())
    await book.close()
    let resolver = ScriptedResolver(last: .useCredential(.gate()))
    let other = try await world.open(server)
    await other.register(resolver)
    _ = try await other.send(.get(#require(HTTPURL("http://127.0.0.1:8080/other"))))
    #expect(resolver.asked == ["digest gate 0", "basic gate 0"])
  }

  @Test func `what was given for one request does not outlive its failure`() async throws {
    let (server, isDown) = (FormServer(), TestBox(true))
    let transport = ScriptedTransport { request, route throws(TransportFailure) in
      guard request.url.path == "/page" else {
        return try await server.transport.send(request, through: route)
      }
      guard request.fields.first("Authorization") != nil else { return Self.challenged(Self.basic) }
      guard !isDown.value else {
        throw TransportFailure(
          GatebookError(.networkUnreachable, "down", remedy: "wait"), delivery: .maybeSent)
      }
      return HTTPReply(status: 200)
    }
    let world = try TestBook()
    let book = try await world.open(transport)
    _ = try await book.logIn(server.login())
    await book.register(ScriptedResolver(.useCredential(.gate())))
    let page = HTTPRequest.get(try server.url("/page"))
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.send(page) }
    #expect(transport.requests.last?.fields.first("Authorization") != nil)
    isDown.value = false
    await book.removeResolver()
    let before = transport.requests.count
    #expect(try await book.send(page).status == 401)
    let sent = transport.requests.dropFirst(before)
    #expect(sent.allSatisfy { $0.fields.first("Authorization") == nil })
  }

  /// What only a newer Gatebook can read: another strength, and something else altogether.
  private static func newer() throws -> [FactValue] {
    var record = try given(at: "https://newer.example.test").record
    record["strength"] = "digest-sha3"
    return [.object(record), 7]
  }

  @Test func `an entry of a newer Gatebook is still there when another one is added`()
    async throws
  {
    let server = FormServer()
    let world = try TestBook()
    let book = try await world.open(server.transport)
    let account = try await book.logIn(server.login()).account
    let newer = try Self.newer()
    let content: Facts = ["given": .list(newer)]
    var append = Append([])
    append.vault = [
      .set(account, purpose: Purpose.challenges, generation: 1, content: content.encoded)
    ]
    try await book.commit(append)
    func kept() throws -> [FactValue]? {
      let bytes = try BookReader.open(at: world.path, key: KeyFile(path: world.keyPath))
        .secret(of: account, purpose: Purpose.challenges)
      return bytes.flatMap { Facts(decoding: $0) }?["given"]?.list
    }
    await book.register(ScriptedResolver(last: .useCredential(.gate(.permanent))))
    let given = GivenCredential(
      server: try server.url("/").origin, realm: "gate",
      credential: HTTPCredential(user: "ada", .password(Secret("rabbit"))), isPermanent: true,
      allowsCleartext: false, strength: .basic)
    try await book.keep([given], of: account)
    #expect(try kept()?.count == 3)
    #expect(try kept()?.filter(newer.contains) == newer)
    // Also by what a session's conversation leaves, and by a login.
    let session = try #require(try await book.openSession(of: account))
    try await book.commit(try await book.keeping([given], session))
    _ = try await book.logIn(server.login())
    #expect(try kept()?.count == 3)
    #expect(try kept()?.filter(newer.contains) == newer)
  }

  @Test func `an entry of a newer Gatebook stays with the session`() async throws {
    let server = FormServer()
    let world = try TestBook()
    let book = try await world.open(server.transport)
    let account = try await book.logIn(server.login()).account
    let session = try #require(try await book.openSession(of: account))
    var facts = try #require(Facts(decoding: session.stored.encoded))
    facts["given"] = .list(try Self.newer())
    #expect(StoredSession(facts.encoded)?.encoded == facts.encoded)
  }
}
