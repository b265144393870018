internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

@testable internal import GatebookAuthentication

struct OAuth1LoginTests {
  private typealias Login = ServiceLogin

  // The fields were computed with another program.
  @Test
  func `every step is signed as the standard says`() throws {
    var dialogue = try Login.beforeCheck()
    let opened = try #require(dialogue.opened)
    #expect("\(opened.page)" == "\(Login.site)/allow?lang=en&oauth_token=tmp%2F1")
    #expect(
      opened.redirect
        == AwaitedRedirect(
          uri: "app://back/here", key: "oauth_token", value: "tmp/1",
          codeName: "oauth_verifier"))
    #expect(
      dialogue.requests.map { "\($0.method) \($0.url)" } == [
        "GET \(Login.site)/me", "POST \(Login.site)/request", "POST \(Login.site)/token",
        "GET \(Login.site)/me",
      ])
    #expect(dialogue.requests.allSatisfy { $0.body.isEmpty })
    #expect(
      dialogue.requests.map { $0.field("Authorization") } == [
        nil,
        """
        OAuth realm="R", oauth_consumer_key="app", oauth_signature_method="HMAC-SHA1", \
        oauth_timestamp="1700000000", oauth_nonce="07070707070707070707070707070707", \
        oauth_version="1.0", oauth_callback="app%3A%2F%2Fback%2Fhere", \
        oauth_signature="f4Op2xHN%2BVZ%2Ft7Nd%2Fwo30qyMIu8%3D"
        """,
        """
        OAuth realm="R", oauth_consumer_key="app", oauth_token="tmp%2F1", \
        oauth_signature_method="HMAC-SHA1", oauth_timestamp="1700000000", \
        oauth_nonce="07070707070707070707070707070707", oauth_version="1.0", \
        oauth_verifier="ver%201", oauth_signature="cYs7CXGhRgoMKsPFhApWxb%2B51gg%3D"
        """,
        """
        OAuth realm="R", oauth_consumer_key="app", oauth_token="tok12345", \
        oauth_signature_method="HMAC-SHA1", oauth_timestamp="1700000000", \
        oauth_nonce="07070707070707070707070707070707", oauth_version="1.0", \
        oauth_signature="rUo%2BrLdf%2BFr%2FgTCV9X6wlrBxk3c%3D"
        """,
      ])
    try dialogue.hand(in: .reply(.answer(200)))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.evidence == .check)
    #expect(outcome.person.family == "oauth1")
    #expect(outcome.person.userID == "ada")
  }

  private static let probe: [HTTPReply] = [.answer(401)]
  private static let request = "POST \(Login.site)/request"

  private static let beforeVisit = [
    DialogueRow("start", [], "GET \(Login.site)/me"),
    DialogueRow("refused with 401", [.answer(401)], request),
    DialogueRow("refused with 403", [.answer(403)], request),
    DialogueRow("refused with 400", [.answer(400)], request),
    DialogueRow("refused by a redirect", [.redirect(to: "/login")], request),
    DialogueRow("anybody may read it", [.answer(200)], "login.unprovable"),
    DialogueRow("no such page", [.answer(404)], "configuration.invalid"),
    DialogueRow("in trouble", [.answer(503)], "server.unavailable"),
    DialogueRow("odd", [.answer(418)], "server.refused"),
    DialogueRow("wrong key, 401", probe + [.answer(401)], "configuration.invalid"),
    DialogueRow("wrong key, 400", probe + [.answer(400)], "configuration.invalid"),
    DialogueRow("wrong key, 403", probe + [.answer(403)], "configuration.invalid"),
    DialogueRow("moved", probe + [.redirect(to: "/x")], "server.moved"),
    DialogueRow("no endpoint", probe + [.answer(404)], "configuration.invalid"),
    DialogueRow("endpoint in trouble", probe + [.answer(500)], "server.unavailable"),
    DialogueRow("endpoint odd", probe + [.answer(418)], "server.refused"),
    DialogueRow("a page", probe + [.page()], "content.unexpected"),
    DialogueRow(
      "callback not confirmed",
      probe + [.answer(200, body: "oauth_token=a&oauth_token_secret=b")], "content.unexpected"),
    DialogueRow("timestamp refused once", probe + [Login.ahead], request),
    DialogueRow(
      "timestamp refused twice", probe + [Login.ahead, Login.ahead], "configuration.invalid"),
  ]

  @Test(arguments: beforeVisit)
  func `before the visit each answer leads where the table says`(_ row: DialogueRow) throws {
    var dialogue = Dialogue(try Login.method())
    #expect(dialogue.ending(row.replies) == row.ending)
  }

  private func ending(
    _ dialogue: Dialogue, _ happenings: [Input.Happening]
  ) throws -> String {
    var dialogue = dialogue
    do {
      for happening in happenings { try dialogue.hand(in: happening) }
    } catch {
      #expect(!error.description.contains("tok12345") && !error.description.contains("tmp/1"))
      return error.code.rawValue
    }
    if dialogue.outcome != nil { return "finish" }
    return dialogue.requests.last.map { "\($0.method) \($0.url)" } ?? "nothing"
  }

  private func visiting(_ method: LoginMethod? = nil) throws -> Dialogue {
    var dialogue = Dialogue(try method ?? Login.method())
    try dialogue.play([.answer(401), Login.confirmed])
    return dialogue
  }

  @Test(
    arguments: [
      ([("oauth_token", "tmp/1"), ("oauth_verifier", "v")], "POST \(Login.site)/token"),
      ([("oauth_token", "tmp/2"), ("oauth_verifier", "v")], "state.mismatch"),
      ([("oauth_verifier", "v")], "state.mismatch"),
      ([("oauth_token", "tmp/1")], "challenge.cancelled"),
      ([("oauth_token", "tmp/1"), ("oauth_verifier", " ")], "challenge.cancelled"),
      ([("oauth_token", "tmp/1"), ("denied", "tmp/1")], "challenge.cancelled"),
      (
        [("oauth_token", "tmp/1"), ("oauth_verifier", "v"), ("oauth_verifier", "w")],
        "content.unexpected"
      ),
      ([], "state.mismatch"),
    ] as [([(String, String)], String)])
  func `defect 14: a redirect of another login or without consent ends the login`(
    _ fields: [(String, String)], _ ending: String
  ) throws {
    let redirect = FormFields(fields.map { FormFields.Field($0.0, $0.1) })
    #expect(try self.ending(visiting(), [.redirect(redirect)]) == ending)
  }

  @Test
  func `a typed verifier may have blanks around it`() throws {
    var dialogue = try visiting(Login.method(callback: "oob"))
    #expect(dialogue.opened?.redirect.uri == AwaitedRedirect.outOfBand)
    try dialogue.redirect(("oauth_token", "tmp/1"), ("oauth_verifier", " 123 456 "))
    let field = dialogue.requests.last?.field("Authorization")
    #expect(field?.contains("oauth_verifier=\"123%20456\"") == true)
  }

  @Test
  func `a verifier is used once`() throws {
    #expect(try ending(visiting(), [Login.allowed, Login.allowed]) == "precondition.failed")
    #expect(
      try ending(visiting(), [Login.allowed, .reply(Login.granted), Login.allowed])
        == "precondition.failed")
  }

  private static let afterVisit = [
    DialogueRow("granted", [Login.granted], "GET \(Login.site)/me"),
    DialogueRow("verifier refused, 401", [.answer(401)], "code.refused"),
    DialogueRow("verifier refused, 400", [.answer(400)], "code.refused"),
    DialogueRow("verifier refused, 403", [.answer(403)], "code.refused"),
    DialogueRow("timestamp refused once", [Login.ahead], "POST \(Login.site)/token"),
    DialogueRow("timestamp refused twice", [Login.ahead, Login.ahead], "configuration.invalid"),
    DialogueRow("moved", [.redirect(to: "/x")], "server.moved"),
    DialogueRow("no endpoint", [.answer(405)], "configuration.invalid"),
    DialogueRow("in trouble", [.answer(502)], "server.unavailable"),
    DialogueRow("no token", [.answer(200, body: "oauth_token=a")], "content.unexpected"),
    DialogueRow("proven", [Login.granted, .answer(204)], "finish"),
    DialogueRow("not proven, 401", [Login.granted, .answer(401)], "login.unprovable"),
    DialogueRow("not proven, 403", [Login.granted, .answer(403)], "login.unprovable"),
    DialogueRow("not proven, 400", [Login.granted, .answer(400)], "login.unprovable"),
    DialogueRow(
      "not proven, redirect", [Login.granted, .redirect(to: "/login")], "login.unprovable"),
    DialogueRow("check in trouble", [Login.granted, .answer(503)], "server.unavailable"),
    DialogueRow(
      "check refuses the timestamp once", [Login.granted, Login.ahead], "GET \(Login.site)/me"),
    DialogueRow(
      "and takes the second", [Login.granted, Login.ahead, .answer(200)], "finish"),
    DialogueRow(
      "or refuses it too", [Login.granted, Login.ahead, Login.ahead], "login.unprovable"),
  ]

  @Test(arguments: afterVisit)
  func `after the visit each answer leads where the table says`(_ row: DialogueRow) throws {
    let happenings = [Login.allowed] + row.replies.map { Input.Happening.reply($0) }
    #expect(try ending(visiting(), happenings) == row.ending)
  }

  @Test
  func `a refused timestamp is signed again by the server's clock, for good`() throws {
    var dialogue = Dialogue(try Login.method())
    try dialogue.play([.answer(401), Login.ahead, Login.confirmed])
    try dialogue.hand(in: Login.allowed)
    try dialogue.hand(in: .reply(Login.granted))
    let stamps = dialogue.requests.map { request in
      request.field("Authorization").map { $0.contains("oauth_timestamp=\"1700000600\"") }
    }
    #expect(stamps == [nil, false, true, true, true])
    #expect(
      dialogue.requests.last?.field("Authorization")
        == """
        OAuth realm="R", oauth_consumer_key="app", oauth_token="tok12345", \
        oauth_signature_method="HMAC-SHA1", oauth_timestamp="1700000600", \
        oauth_nonce="07070707070707070707070707070707", oauth_version="1.0", \
        oauth_signature="f%2FFALYwfh167us1DEBpTTuuqSoU%3D"
        """)
  }

  @Test
  func `the first step goes by GET where the setting says so`() throws {
    var dialogue = Dialogue(try Login.method(Login.service(method: .get)))
    try dialogue.play([.answer(401)])
    #expect(dialogue.requests.last.map { "\($0.method) \($0.url)" } == "GET \(Login.site)/request")
  }

  @Test
  func `an unconfirmed callback and no verifier are taken only by a setting`() throws {
    let service = try Login.service(requiresConfirmation: false)
    var dialogue = Dialogue(try Login.method(service))
    try dialogue.play([
      .answer(401), .answer(200, body: "oauth_token=tmp%2F1&oauth_token_secret=b"),
    ])
    try dialogue.redirect(("oauth_token", "tmp/1"))
    let field = dialogue.requests.last?.field("Authorization")
    #expect(field?.contains("oauth_token=\"tmp%2F1\"") == true)
    #expect(field?.contains("oauth_verifier") == false)
  }

  @Test(arguments: [
    ("", "s", "ada", "app://x"), ("k", "", "ada", "app://x"), ("k", "s", "", "app://x"),
    ("k", "s", "ada", ""), ("k", "s", "ada", "back"), ("k", "s", "ada", "1x:y"),
    ("k", "s", "ada", "app://a b"), ("k", "s", "ada", "app://\u{E9}"),
  ])
  func `a setting that cannot work sends nothing`(
    _ key: String, _ secret: String, _ user: String, _ callback: String
  ) throws {
    let method = try Login.method(key: key, secret: secret, user: user, callback: callback)
    var dialogue = Dialogue(method)
    #expect(dialogue.ending([]) == "configuration.invalid")
    #expect(dialogue.requests.isEmpty)
  }

  @Test
  func `no endpoint elsewhere goes without TLS`() throws {
    for service in [
      try Login.service(request: "http://other.example/r"),
      try Login.service(page: "http://other.example/p"),
    ] {
      var dialogue = Dialogue(try Login.method(service))
      #expect(dialogue.ending([]) == "configuration.invalid")
    }
    let method = try Login.method()
    #expect(method.opensPage)
    #expect("\(method.origin)" == Login.site)
  }

  @Test
  func `a waiting login is read back from nothing but its own record`() throws {
    var machine = try Login.method().authenticator()
    for happening in [
      Input.Happening.start, .reply(.answer(403)), .reply(Login.confirmed),
    ] {
      _ = try machine.next(
        Input(happening, at: Dialogue.moment, random: [UInt8](repeating: 1, count: 64)))
    }
    let waiting = try #require(machine as? any RedirectAuthenticator)
    let record = waiting.record
    let read = try #require(RedirectAuthenticators.decode(method: "oauth1", record: record))
    #expect(read.record == record)
    #expect(Facts(decoding: record.encoded) == record)
    for name in record.names {
      var cut = record
      cut[name] = nil
      #expect(RedirectAuthenticators.decode(method: "oauth1", record: cut) == nil)
    }
  }
}
