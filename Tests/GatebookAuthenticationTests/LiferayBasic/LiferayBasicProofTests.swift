internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct LiferayBasicProofTests {
  private static let user = "{\"userId\":123456,\"companyId\":10154}"

  private func proof(_ version: LiferayPortal.Version = .v7) throws -> any SessionProof {
    let portal = LiferayPortal(
      server: try .at("https://portal.example.test/intranet"), companyID: 10154, version: version)
    let method = LoginMethod.liferay(portal, .basic(.screenName("ada"), password: Secret("rabbit")))
    return try Dialogue.outcome(of: method, .json(200, "[\(Self.user),\(Self.user)]")).proof
  }

  @Test(arguments: [
    ("https://portal.example.test/intranet/api/jsonws/invoke", true),
    ("https://portal.example.test/intranet", true),
    ("https://portal.example.test/other", false),
    ("https://portal.example.test:444/intranet/", false),
    ("https://evil.example/intranet/", false),
  ])
  func `the password goes to the portal and nowhere else`(
    _ url: String, _ expected: Bool
  ) throws {
    let sent = try proof().authorise(.get(try .at(url)), jar: CookieJar(), at: Dialogue.moment)
    #expect((sent.field("Authorization") == "Basic YWRhOnJhYmJpdA==") == expected)
  }

  @Test(arguments: [
    ("401", "documents/1", HTTPReply.answer(401), SessionVerdict.authorityLost),
    ("a page's 403", "documents/1", .page(403), .unaffected),
    (
      "a guest's 403", "api/jsonws/invoke",
      .json(403, "{\"exception\":\"Access denied to a.B#c\"}"), .authorityLost
    ),
    (
      "a guest on 6.2", "api/jsonws/invoke",
      .json(200, "{\"exception\":\"Authenticated access required\"}"), .authorityLost
    ),
    (
      "an app's JSON that looks alike", "documents/1",
      .json(200, "{\"exception\":\"Authenticated access required\"}"), .unaffected
    ),
    ("a result", "api/jsonws/invoke", .json(200, "[{}]"), .unaffected),
    ("an outage", "api/jsonws/invoke", .json(500, "{\"exception\":\"x\"}"), .unaffected),
  ])
  func `a session ends by a 401 or as a guest of a web service`(
    _ name: String, _ path: String, _ reply: HTTPReply, _ verdict: SessionVerdict
  ) throws {
    let request = HTTPRequest.get(try .at("https://portal.example.test/intranet/\(path)"))
    #expect(try proof().judge(reply, to: request) == verdict)
  }

  @Test(arguments: [
    ("alive", HTTPReply.json(200, "[\(user),\(user)]"), "finish"),
    ("401", .answer(401), "session.refused"),
    ("a guest", .json(403, "{\"exception\":\"Access denied to a.B#c\"}"), "session.refused"),
    (
      "no user", .json(404, "{\"error\":{\"type\":\"NoSuchUserException\"},\"exception\":\"x\"}"),
      "server.refused"
    ),
    ("an outage", .page(503), "server.unavailable"),
    ("a login page", .page(), "content.unexpected"),
    ("moved", .redirect(to: "/x", status: 308), "server.moved"),
  ])
  func `reading the record again proves the session`(
    _ name: String, _ reply: HTTPReply, _ ending: String
  ) throws {
    var dialogue = Dialogue(try proof().verification(jar: CookieJar()))
    #expect(dialogue.ending([reply]) == ending)
  }

  @Test
  func `there is nothing to renew and nothing to end`() throws {
    let proof = try proof()
    #expect(!proof.needsRenewal(atAge: .zero))
    #expect(proof.renewal(jar: CookieJar()) == nil)
    #expect(proof.logOut(jar: CookieJar(), at: Dialogue.moment).isEmpty)
  }
}
