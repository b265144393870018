internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct SessionProofsTests {
  private static let user = "{\"userId\":123456,\"companyId\":10154}"

  private func outcomes() throws -> [Outcome] {
    let site = "https://www.example.test"
    let challenge = HTTPReply.answer(401, ["WWW-Authenticate": "Basic realm=\"a\""])
    let http = LoginMethod.http(
      url: try .at("\(site)/basic/"), user: "ada", password: Secret("rabbit"))
    let forms = [true, false].map { again in
      { (url: HTTPURL, check: HTTPURL) in
        LoginMethod.form(
          loginURL: url, checkURL: check, user: "ada", password: Secret("rabbit"),
          mayLogInAgain: again)
      }
    }
    let basics = [LiferayUser.email("ada@example.test"), .screenName("ada"), .userID(123_456)].map {
      LiferayLogin.basic($0, password: Secret("rabbit"))
    }
    let digest = HTTPReply.answer(
      401, ["WWW-Authenticate": "Digest realm=\"a\", nonce=\"n\""])
    var outcomes = [
      try Dialogue.outcome(of: http, challenge, .answer(200)),
      try Dialogue.outcome(of: http, digest, .answer(200)),
    ]
    for form in forms {
      let method = form(try .at("\(site)/dologin"), try .at("\(site)/form/"))
      outcomes.append(
        try Dialogue.outcome(of: method, .redirect(to: "/in"), .page(), .page(), .answer(200)))
    }
    for basic in basics {
      outcomes.append(
        try Dialogue.outcome(
          of: .liferay(PortalLogin.portal(), basic), .json(200, "[\(Self.user),\(Self.user)]")))
    }
    outcomes.append(try PortalLogin.outcome())
    outcomes.append(try PortalLogin.outcome(handlesExpiration: false))
    return outcomes
  }

  @Test
  func `every proof survives the vault`() throws {
    for outcome in try outcomes() {
      let method = type(of: outcome.proof).method
      let bytes = outcome.proof.record.encoded
      let record = try #require(Facts(decoding: bytes))
      let read = try #require(SessionProofs.decode(method: method, record: record))
      #expect(type(of: read).method == method)
      #expect(read.record == outcome.proof.record)
      #expect(read.origin == outcome.proof.origin)
      let request = HTTPRequest.get(outcomeURL(outcome))
      #expect(
        read.authorise(request, jar: outcome.jar, at: Dialogue.moment)
          == outcome.proof.authorise(request, jar: outcome.jar, at: Dialogue.moment))
    }
  }

  private func outcomeURL(_ outcome: Outcome) -> HTTPURL {
    guard let url = HTTPURL("\(outcome.proof.origin)/basic/page") else {
      preconditionFailure("an origin is the beginning of a URL")
    }
    return url
  }

  @Test
  func `a record that lost a field is read by no proof`() throws {
    let optional = ["loginPage", "password", "session"]
    for outcome in try outcomes() {
      let method = type(of: outcome.proof).method
      let full = outcome.proof.record
      for name in full.names where method == "http" || !optional.contains(name) {
        var record = full
        record[name] = nil
        #expect(SessionProofs.decode(method: method, record: record) == nil, "\(method) \(name)")
      }
    }
  }

  @Test
  func `an unknown method has no proof`() {
    #expect(SessionProofs.decode(method: "carrier-pigeon", record: [:]) == nil)
  }

  @Test
  func `no proof and no outcome prints its password`() throws {
    for outcome in try outcomes() {
      #expect(!String(describing: outcome.proof).contains("rabbit"))
      #expect(!String(reflecting: outcome.proof).contains("rabbit"))
    }
  }
}
