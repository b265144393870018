internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// The known defects of older clients for Liferay, each shown not to be here.
struct LiferayDefectTests {
  private func basic(_ version: LiferayPortal.Version = .v7) throws -> LoginMethod {
    .liferay(
      try PortalLogin.portal(version),
      .basic(.email("ada@portal.example.test"), password: Secret("rabbit"), verifyIdentity: false))
  }

  @Test
  func `defect 1: a failed Basic login proposes nothing and logs nobody out`() throws {
    var dialogue = Dialogue(try basic())
    #expect(dialogue.ending([.answer(401)]) == "credentials.refused")
    #expect(dialogue.outcome == nil)
    #expect(dialogue.requests.map(\.url.path) == ["/api/jsonws/invoke"])
  }

  @Test
  func `defect 2: a page with a token is no login until the portal names the user`() throws {
    var dialogue = Dialogue(try PortalLogin.method())
    try dialogue.play([PortalLogin.accepted(), PortalLogin.themed])
    #expect(dialogue.outcome == nil)
    #expect(throws: GatebookError(.credentialsRefused, "", remedy: "")) {
      try dialogue.hand(in: .reply(PortalLogin.guest))
    }
    #expect(dialogue.outcome == nil)
  }

  @Test
  func `defect 3: a session is taken to live 900 s unless set, not 60`() throws {
    let method = LoginMethod.liferay(
      try PortalLogin.portal(), .cookie(login: "ada", password: Secret("rabbit")))
    let proof = try Dialogue.outcome(
      of: method, PortalLogin.accepted(), PortalLogin.themed, PortalLogin.user
    ).proof
    #expect(proof.record["cookieExpirationTimeUs"] == .integer(900_000_000))
    #expect(!proof.needsRenewal(atAge: .seconds(800)))
  }

  @Test
  func `defect 4: a session is renewed before it expires, not after`() throws {
    #expect(try PortalLogin.outcome().proof.needsRenewal(atAge: .seconds(850)))
  }

  @Test
  func `defect 5: a page without a token ends the login`() throws {
    var dialogue = Dialogue(try PortalLogin.method())
    #expect(dialogue.ending([PortalLogin.accepted(), .page()]) == "content.unexpected")
  }

  @Test
  func `defect 5: a second challenge ends the login`() throws {
    let challenge = HTTPReply.answer(401, ["WWW-Authenticate": "Basic realm=\"front\""])
    var dialogue = Dialogue(try PortalLogin.method())
    #expect(
      dialogue.ending([.page(403), PortalLogin.themed, challenge]) == "challenge.unhandled")
  }

  @Test
  func `defect 6: two logins to one portal share no cookie`() throws {
    let ada = try PortalLogin.outcome()
    var bob = Dialogue(try PortalLogin.method())
    try bob.play([
      PortalLogin.accepted(session: "bob1"), PortalLogin.themed, PortalLogin.user,
    ])
    #expect(bob.requests.allSatisfy { $0.field("Cookie")?.contains("ada1") == false })
    let url = try HTTPURL.at("\(PortalLogin.site)/")
    #expect(ada.jar.header(for: url, at: Dialogue.moment.wall) == "JSESSIONID=ada1")
    #expect(bob.outcome?.jar.header(for: url, at: Dialogue.moment.wall) == "JSESSIONID=bob1")
  }

  @Test
  func `defect 7: a failed renewal leads to an error, not to a guest's session`() throws {
    let outcome = try PortalLogin.outcome()
    for (replies, ending) in [
      (
        [PortalLogin.accepted(session: "guest"), PortalLogin.themed, PortalLogin.guest],
        "credentials.refused"
      ),
      ([.answer(503)], "server.unavailable"), ([.page()], "content.unexpected"),
    ] {
      var dialogue = Dialogue(try #require(outcome.proof.renewal(jar: outcome.jar)))
      #expect(dialogue.ending(replies) == ending)
      #expect(dialogue.outcome == nil)
    }
  }

  @Test(arguments: [401, 403])
  func `defect 12: a refusal inside the window is noticed`(_ status: Int) throws {
    let request = HTTPRequest.get(try .at("\(PortalLogin.site)/documents/1"))
    let proof = try PortalLogin.outcome().proof
    #expect(!proof.needsRenewal(atAge: .zero))
    #expect(proof.judge(.answer(status), to: request) == .authorityLost)
    #expect(proof.renewal(jar: CookieJar()) != nil)
  }

  @Test
  func `defect 16: the cause of a network failure survives the login`() throws {
    let cause = GatebookError(
      .networkUnreachable, "No answer.", remedy: "Look at the network.", cause: "connect: refused")
    for method in [try basic(), try PortalLogin.method()] {
      var dialogue = Dialogue(method)
      try dialogue.play([])
      do {
        try dialogue.hand(in: .failure(TransportFailure(cause, delivery: .notSent)))
        Issue.record("no failure")
      } catch {
        #expect(error.code == .networkUnreachable)
        #expect(error.cause == "connect: refused")
      }
    }
  }

  @Test
  func `defect 17: a password with & + % reaches the portal intact`() throws {
    var dialogue = Dialogue(try PortalLogin.method(password: "a&b+c%20=d e"))
    try dialogue.play([])
    #expect(dialogue.requests.first?.text == "login=ada&password=a%26b%2Bc%2520%3Dd%20e")
  }

  @Test
  func `defect 18: both versions give the same numbers, in every mode and for every key`() throws {
    var sets: [Facts] = []
    for record in [PortalFixture.userV62, PortalFixture.userV7] {
      let byBasic = try Dialogue.outcome(of: basic(), .json(200, "[\(record)]"))
      let byCookie = try Dialogue.outcome(
        of: PortalLogin.method(), PortalLogin.accepted(), PortalLogin.themed,
        .json(200, "[\(record)]"))
      sets += [byBasic.attributes.facts, byCookie.attributes.facts]
    }
    let keys = ["companyId", "contactId", "facebookId", "ldapServerId", "portraitId", "userId"]
    for facts in sets {
      for key in keys {
        #expect(facts[key]?.integer != nil, "\(key)")
        #expect(facts[key] == sets[0][key], "\(key)")
      }
    }
    #expect(sets[2]["mvccVersion"] == .integer(7))
    #expect(sets[0].names.allSatisfy { sets[0][$0] == sets[2][$0] })
  }

  @Test
  func `defect 19: 308 is a redirect like the others`() throws {
    let moved = HTTPReply.redirect(to: "/x", status: 308)
    var dialogue = Dialogue(try basic())
    #expect(dialogue.ending([moved]) == "server.moved")
    dialogue = Dialogue(try PortalLogin.method())
    #expect(dialogue.ending([moved]) == "server.moved")
    dialogue = Dialogue(try PortalLogin.method())
    #expect(
      dialogue.ending([PortalLogin.accepted(), .redirect(to: "/web", status: 308)])
        == "GET \(PortalLogin.site)/web")
  }
}
