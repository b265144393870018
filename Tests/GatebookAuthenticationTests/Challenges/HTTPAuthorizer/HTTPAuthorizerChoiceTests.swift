internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// Which challenge is answered, and which is not.
struct HTTPAuthorizerChoiceTests {
  private static let basic = "Basic realm=\"members\""
  private static let md5 = digest("MD5")
  private static let sha256 = digest("SHA-256")
  private static let sha512 = digest("SHA-512-256")

  private static func digest(_ algorithm: String, realm: String = "members") -> String {
    "Digest realm=\"\(realm)\", nonce=\"n\", qop=\"auth\", algorithm=\(algorithm)"
  }

  private static func ask(_ challenges: String...) -> HTTPReply {
    HTTPReply(status: 401, fields: challenges.map { HTTPField("WWW-Authenticate", $0) })
  }

  /// `-`, `Basic`, or the algorithm of Digest.
  private static func answer(_ attempt: HTTPAttempt?) -> String {
    guard let attempt, let field = attempt.request.field("Authorization") else { return "-" }
    return DigestServer.parts(of: attempt.request)?["algorithm"]
      ?? String(field.prefix(while: { $0 != " " }))
  }

  @Test(arguments: [
    ([basic], "Basic"), ([md5], "MD5"), ([sha256], "SHA-256"), ([sha512], "SHA-512-256"),
    ([basic, md5], "MD5"), ([md5, basic], "MD5"), ([md5, sha256], "SHA-256"),
    ([sha256, md5], "SHA-256"), ([sha256, sha512, md5, basic], "SHA-512-256"),
    (["\(sha256), \(basic)"], "SHA-256"), (["Negotiate", "NTLM", "Bearer", basic], "Basic"),
    ([digest("SHA-1"), digest("MD5-sess"), basic], "MD5-sess"),
    ([digest("SHA-1"), basic], "Basic"), (["Digest realm=\"members\"", md5], "MD5"),
    ([digest("MD5"), digest("MD5-sess")], "MD5"), ([digest("MD5-sess"), md5], "MD5-sess"),
    (["Negotiate"], "-"), ([], "-"), (["Digest realm=\"a\"", "Basic, realm=\"b\""], "-"),
    (["Basic dG9rZW4="], "-"), ([digest("SHA-999")], "-"),
  ])
  func `the strongest challenge that can be answered wins`(
    _ challenges: [String], _ expected: String
  ) throws {
    var client = try AuthorizedClient()
    let reply = HTTPReply(
      status: 401, fields: challenges.map { HTTPField("WWW-Authenticate", $0) })
    let outcome = client.take(reply, to: try client.begin())
    #expect(Self.answer(outcome.next) == expected)
    if expected == "-" { #expect(outcome.ending.hasPrefix("unhandled")) }
  }

  @Test func `schemes that nobody answers are named`() throws {
    var client = try AuthorizedClient()
    let reply = Self.ask("Negotiate, Bearer realm=\"x\"")
    #expect(client.take(reply, to: try client.begin()).ending == "unhandled negotiate bearer")
  }

  @Test(arguments: [
    ("https://www.example.test", false, "Basic"), ("http://www.example.test", false, "-"),
    ("http://www.example.test", true, "Basic"), ("http://127.0.0.1:8080", false, "Basic"),
    ("http://localhost", false, "Basic"), ("http://[::1]", false, "Basic"),
    ("http://localhost.example.test", false, "-"), ("http://10.0.0.1", false, "-"),
  ])
  func `Basic needs TLS, loopback or permission`(
    _ site: String, _ allowsCleartext: Bool, _ expected: String
  ) throws {
    var client = try AuthorizedClient(site: site, allowsCleartext: allowsCleartext)
    let outcome = client.take(Self.ask(Self.basic), to: try client.begin(site: site))
    #expect(Self.answer(outcome.next) == expected)
    var other = try AuthorizedClient(site: site)
    #expect(
      Self.answer(other.take(Self.ask(Self.md5), to: try other.begin(site: site)).next) == "MD5")
  }

  @Test(arguments: [
    (md5, basic, "unhandled basic"), (sha256, md5, "unhandled digest"),
    (sha256, basic, "unhandled basic"), (sha512, sha256, "unhandled digest"),
    (digest("SHA-256-sess"), md5, "unhandled digest"),
  ])
  func `nothing weaker than before is answered`(
    _ before: String, _ after: String, _ ending: String
  ) throws {
    // As the reply to the answer, and to a later request that carries no answer.
    var client = try AuthorizedClient()
    let first = client.take(
      Self.ask(before + ", domain=\"/in\""), to: try client.begin("/in"))
    #expect(client.take(Self.ask(after), to: try #require(first.next)).ending == ending)
    #expect(client.take(Self.ask(after), to: try client.begin("/out")).ending == ending)
    let sent = client.sent.compactMap { $0.field("Authorization") }
    #expect(!sent.contains { $0.hasPrefix("Basic") })
  }

  @Test func `a server may ask for something stronger`() throws {
    var client = try AuthorizedClient()
    let basic = try #require(client.take(Self.ask(Self.basic), to: try client.begin()).next)
    let digest = try #require(client.take(Self.ask(Self.md5), to: basic).next)
    #expect(Self.answer(digest) == "MD5")
    #expect(client.take(Self.ask(Self.sha256), to: digest).ending == "refused")
  }

  @Test func `another realm is not answered, unless it is the first`() throws {
    var client = try AuthorizedClient()
    _ = client.take(Self.ask(Self.digest("MD5", realm: "members")), to: try client.begin())
    for challenge in [Self.digest("MD5", realm: "admins"), "Basic realm=\"members\"", "Basic"] {
      let outcome = client.take(Self.ask(challenge), to: try client.begin())
      #expect(outcome.ending.hasPrefix("unhandled"))
    }
    var bound = try AuthorizedClient(realm: "admins")
    let both = Self.ask(Self.sha256, Self.digest("MD5", realm: "admins"))
    #expect(Self.answer(bound.take(both, to: try bound.begin()).next) == "MD5")
  }

  @Test func `another server is not answered`() throws {
    var client = try AuthorizedClient()
    for site in ["https://other.example.test", "http://www.example.test"] {
      let attempt = try client.begin(site: site)
      #expect(client.take(Self.ask(Self.md5), to: attempt).ending == "unhandled digest")
    }
    _ = client.take(Self.ask(Self.md5), to: try client.begin())
    #expect(Self.answer(try client.begin()) == "MD5")
    #expect(Self.answer(try client.begin(site: "https://other.example.test")) == "-")
  }

  @Test func `keys answer their realm and hashes, and never Basic`() throws {
    let keys = AuthorizedClient.password.kept(realm: "members", from: .sha256)
    for (challenge, expected) in [
      (Self.basic, "-"), (Self.md5, "-"), (Self.sha256, "SHA-256"), (Self.sha512, "SHA-512-256"),
      (Self.digest("SHA-256-sess"), "SHA-256-sess"), (Self.digest("SHA-256", realm: "x"), "-"),
    ] {
      var client = try AuthorizedClient(keys)
      let outcome = client.take(Self.ask(challenge), to: try client.begin())
      #expect(Self.answer(outcome.next) == expected)
    }
  }

  @Test func `keys and password answer alike`() throws {
    let keys = AuthorizedClient.password.kept(realm: "members", from: .md5)
    for algorithm in ["MD5", "SHA-256-sess", "SHA-512-256"] {
      var server = DigestServer()
      server.algorithm = algorithm
      var client = try AuthorizedClient(keys)
      #expect(try client.send { server.reply(to: $0) } == "final 200")
    }
  }

  @Test func `Basic goes to the folders that asked for it`() throws {
    var client = try AuthorizedClient()
    let first = client.take(Self.ask(Self.basic), to: try client.begin("/a/x"))
    #expect(client.take(.answer(200), to: try #require(first.next)).ending == "final 200")
    #expect(Self.answer(try client.begin("/a/b/c")) == "Basic")
    #expect(Self.answer(try client.begin("/b/")) == "-")
    let second = client.take(Self.ask(Self.basic), to: try client.begin("/b/"))
    #expect(Self.answer(second.next) == "Basic")
    #expect(Self.answer(try client.begin("/b/")) == "Basic")
    #expect(Self.answer(try client.begin("/a/")) == "Basic")
    let other = client.take(Self.ask("Basic realm=\"x\""), to: try client.begin("/c/"))
    #expect(other.ending == "unhandled basic")
  }

  @Test func `a refused password is not sent again`() throws {
    var client = try AuthorizedClient()
    let first = client.take(Self.ask(Self.basic), to: try client.begin())
    #expect(client.take(Self.ask(Self.basic), to: try #require(first.next)).ending == "refused")
  }

  @Test(arguments: [200, 302, 403, 407, 500])
  func `no other status than 401 is a challenge`(_ status: Int) throws {
    var client = try AuthorizedClient()
    let reply = HTTPReply(
      status: status, fields: [HTTPField("WWW-Authenticate", Self.md5)])
    #expect(client.take(reply, to: try client.begin()).ending == "final \(status)")
  }

  @Test func `a name that Basic cannot carry is not sent by it`() throws {
    let credential = HTTPCredential(user: "a:b", .password(Secret("rabbit")))
    var client = try AuthorizedClient(credential)
    let reply = Self.ask(Self.basic)
    #expect(client.take(reply, to: try client.begin()).ending == "unhandled basic")
  }

  @Test func `a saved password is sent at once, saved keys only on demand`() throws {
    let url = try HTTPURL.at("https://www.example.test/a/check")
    var basic = HTTPAuthorizer(
      keeping: AuthorizedClient.password, realm: "members", provenAt: url)
    let random = [UInt8](repeating: 1, count: 16)
    #expect(Self.answer(basic.authorise(.get(url), random: random)) == "Basic")
    let other = HTTPRequest.get(try .at("https://www.example.test/b/"))
    #expect(Self.answer(basic.authorise(other, random: random)) == "-")
    let keys = AuthorizedClient.password.kept(realm: "members", from: .md5)
    var digest = HTTPAuthorizer(keeping: keys, realm: "members", provenAt: url)
    #expect(Self.answer(digest.authorise(.get(url), random: random)) == "-")
  }

  @Test(arguments: [basic, md5, digest("SHA-256-sess")])
  func `nothing that is printed tells a password or what stands for it`(
    _ challenge: String
  ) throws {
    var client = try AuthorizedClient()
    let attempt = try #require(client.take(Self.ask(challenge), to: try client.begin()).next)
    let hash: HashFunction = challenge.contains("MD5") ? .md5 : .sha256
    let key = Hex.encode(hash.hash(Array("ada:members:rabbit".utf8)))
    for text in [
      String(describing: client.authorizer), String(reflecting: client.authorizer),
      String(describing: attempt), String(reflecting: attempt),
    ] {
      for secret in ["rabbit", "YWRhOnJhYmJpdA==", key] { #expect(!text.contains(secret)) }
    }
  }
}
