internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct FCSDKProofTests {
  private static let long = String(repeating: "0123456789abcdef", count: 256)

  private static let segments: [(id: String, segment: String)] = [
    ("abc", "abc"), ("a/b+c=d e", "a%2Fb%2Bc%3Dd%20e"), (long, long), ("-._~", "-._~"),
    ("größe", "gr%C3%B6%C3%9Fe"), ("🔑", "%F0%9F%94%91"), ("%2F", "%252F"),
    ("?a#b;c", "%3Fa%23b%3Bc"),
    ("...", "..."), ("a\nb", "a%0Ab"),
  ]

  @Test(arguments: segments)
  func `a logout names the session in one percent-encoded segment`(
    _ row: (id: String, segment: String)
  ) throws {
    let outcome = try GatewayLogin.outcome(session: row.id)
    let requests = outcome.proof.logOut(jar: outcome.jar, at: Dialogue.moment)
    let request = try #require(requests.first)
    #expect(requests.count == 1)
    #expect(request.method == "DELETE")
    #expect(request.url.target == "/csdk-sample/SDK/login/id/\(row.segment)")
    #expect(request.fields.first("Content-Type") == "application/json")
    #expect(request.fields.first("Cookie") == "JSESSIONID=s-1")
    #expect(request.body.isEmpty)
  }

  @Test(arguments: [".", ".."])
  func `an id that every server takes for a folder has no logout`(_ id: String) throws {
    let outcome = try GatewayLogin.outcome(session: id)
    #expect(outcome.proof.logOut(jar: outcome.jar, at: Dialogue.moment).isEmpty)
  }

  @Test
  func `every session survives the vault`() throws {
    let field = HTTPField("X-Deployment", "blue")
    for id in Self.segments.map(\.id) {
      for outcome in [
        try GatewayLogin.outcome(session: id), try GatewayLogin.outcome(session: id, field: field),
        try GatewayLogin.outcome(session: id, useCookies: false),
      ] {
        let record = try #require(Facts(decoding: outcome.proof.record.encoded))
        let read = try #require(SessionProofs.decode(method: "fcsdk", record: record))
        #expect(read.record == outcome.proof.record)
        let now = Dialogue.moment
        #expect(
          read.logOut(jar: outcome.jar, at: now) == outcome.proof.logOut(jar: outcome.jar, at: now))
      }
    }
  }

  @Test
  func `without cookies none are kept and none are sent`() throws {
    let outcome = try GatewayLogin.outcome(useCookies: false)
    #expect(outcome.jar.isEmpty)
    #expect(!outcome.proof.keepsCookies)
    var request = HTTPRequest.get(try .at("\(GatewayLogin.site)/csdk-sample/x"))
    request.fields = [HTTPField("cookie", "a=b")]
    let sent = outcome.proof.authorise(
      request, jar: try GatewayLogin.outcome().jar, at: Dialogue.moment)
    #expect(sent.fields.isEmpty)
  }

  @Test
  func `the extra field goes to its own server alone`() throws {
    let field = HTTPField("X-Deployment", "blue")
    let outcome = try GatewayLogin.outcome(field: field)
    let rows = [
      ("\(GatewayLogin.site)/anything", true), ("https://gateway.example.test/x", false),
      ("https://other.example.test:8443/csdk-sample", false),
    ]
    for (url, isExpected) in rows {
      let sent = outcome.proof.authorise(
        .get(try .at(url)), jar: outcome.jar, at: Dialogue.moment)
      #expect(sent.fields.contains(field) == isExpected, "\(url)")
    }
    var dialogue = Dialogue(try GatewayLogin.method(field: field))
    try dialogue.play([])
    #expect(dialogue.requests.first?.fields.first("X-Deployment") == "blue")
  }

  @Test
  func `no page knows the gateway session`() throws {
    let proof = try GatewayLogin.outcome().proof
    for (path, status) in [
      ("/csdk-sample/x", 401), ("/other", 401), ("/csdk-sample/x", 403), ("/csdk-sample/x", 500),
      ("/csdk-sample/x", 302), ("/csdk-sample/x", 200),
    ] {
      let request = HTTPRequest.get(try .at(GatewayLogin.site + path))
      #expect(proof.judge(.answer(status), to: request) == .unaffected, "\(path) \(status)")
    }
  }

  @Test
  func `nothing claims that a session lives`() throws {
    let outcome = try GatewayLogin.outcome()
    var dialogue = Dialogue(outcome.proof.verification(jar: outcome.jar))
    #expect(dialogue.ending([]) == "login.unprovable")
    #expect(dialogue.requests.isEmpty)
  }
}
