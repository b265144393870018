import Gatebook
import GatebookFakes
import Testing

/// What a relying party must take, and what it must not, of a provider's other answers.
@Suite struct RelyingPartyAnswerTests {
  private typealias Row = RelyingPartyRow

  // MARK: The description

  private static let descriptions: [RelyingPartyRow] = [
    Row(
      "another issuer", .failed(.configurationInvalid), .metadata,
      [
        "issuer": #""https://other.example""#
      ]),
    Row(
      "more members than anybody knows", .loggedIn, .metadata,
      [
        "claims_supported": #"["sub"]"#, "mtls_endpoint_aliases": #"{"token_endpoint":null}"#,
        "signed_metadata": #""a.b.c""#, "x": "1e999", "check_session_iframe": "null",
        "request_uri_parameter_supported": "false",
        "tls_client_certificate_bound_access_tokens": "true",
      ]),
    Row(
      "grants and methods that are not the ones used", .loggedIn, .metadata,
      [
        "grant_types_supported": #"["implicit"]"#, "response_types_supported": #"["id_token"]"#,
        "token_endpoint_auth_methods_supported": #"["client_secret_basic"]"#,
        "code_challenge_methods_supported": #"["plain","S256"]"#,
      ]),
    Row("no page about the person", .loggedIn, .metadata, ["userinfo_endpoint": nil]),
    Row("no keys", .failed(.configurationInvalid), .metadata, ["jwks_uri": nil]),
  ]

  @Test(arguments: descriptions)
  func `a description is taken for what it says`(_ row: RelyingPartyRow) async throws {
    try await row.play()
  }

  @Test(arguments: ["/realm", "/realm/", "/realms/a", ""])
  func `an issuer may have a path, with or without a slash at its end`(
    _ path: String
  ) async throws {
    let party = try await RelyingParty()
    party.server.issuer += path
    let context = try await party.logIn().get()
    #expect(context.state == .active)
    #expect(try await party.book.renewNow(context.account))
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    #expect(party.server.requests.first?.path == "\(path)/.well-known/openid-configuration")
    #expect(party.count("\(path)/keys") == 1 || party.count("\(path)//keys") == 1)
  }

  @Test(arguments: [("/realm", "/realm/"), ("/realm/", "/realm"), ("/a", "/A")])
  func `an issuer is compared byte for byte`(_ own: String, _ set: String) async throws {
    let party = try await RelyingParty()
    let url = party.server.url
    party.server.issuer = url + own
    guard case .failure(let error) = try await party.logIn(issuer: url + set) else {
      Issue.record("It was taken.")
      return
    }
    #expect(error.code == .configurationInvalid)
    #expect(party.server.secretsIssued.isEmpty)
  }

  @Test func `endpoints may be on other hosts`() async throws {
    let party = try await RelyingParty()
    let elsewhere = try FaultProxy(to: party.server.port, clock: party.clock)
    try elsewhere.start()
    let url = elsewhere.url
    party.server.settings.changes[.metadata] = [
      "token_endpoint": "\"\(url)/token\"", "jwks_uri": "\"\(url)/keys\"",
      "userinfo_endpoint": "\"\(url)/me\"",
    ]
    let context = try await party.logIn().get()
    #expect(context.user["email"] == "ada@example.test")
    #expect(elsewhere.requests.map(\.path) == ["/token", "/keys", "/me"])
    #expect(try await party.book.renewNow(context.account))
    #expect(elsewhere.requests.map(\.path).last == "/token")
  }

  // MARK: The redirect

  private static let redirects: [RelyingPartyRow] =
    [
      Row("iss promised and missing", .failed(.stateMismatch), .redirect, ["iss": nil]),
      Row("iss of another", .failed(.stateMismatch), .redirect, ["iss": "https://other.example"]),
      Row("iss not promised and missing", .loggedIn) {
        $0.changes[.redirect] = ["iss": nil]
        $0.changes[.metadata] = ["authorization_response_iss_parameter_supported": nil]
      },
      Row("more parameters", .loggedIn, .redirect, ["session_state": "a.b", "scope": "openid"]),
      Row("no code", .failed(.contentUnexpected), .redirect, ["code": nil]),
      Row(
        "a code that nobody gave", .failed(.codeRefused, "invalid_grant"), .redirect,
        [
          "code": "another"
        ]),
    ]
    + [
      ("access_denied", FailureCode.challengeCancelled), ("login_required", .serverRefused),
      ("interaction_required", .serverRefused), ("consent_required", .serverRefused),
      ("account_selection_required", .serverRefused), ("invalid_request", .configurationInvalid),
      ("unauthorized_client", .configurationInvalid), ("invalid_scope", .configurationInvalid),
      ("unsupported_response_type", .configurationInvalid), ("server_error", .serverUnavailable),
      ("temporarily_unavailable", .serverUnavailable), ("something_else", .serverRefused),
    ].map { (error: String, code: FailureCode) in
      Row(
        "the error \(error)", .failed(code, error), .redirect,
        [
          "code": nil, "error": error, "error_description": "No",
        ])
    }

  @Test(arguments: redirects)
  func `a redirect is taken for what it says`(_ row: RelyingPartyRow) async throws {
    let party = try await row.play().party
    if row.ending == .failed(.stateMismatch) { #expect(party.count("/token") == 0) }
  }

  // MARK: The grant

  private static let grants: [RelyingPartyRow] = [
    Row("expires_in a text", .loggedIn, .grant, ["expires_in": #""600""#]),
    Row("expires_in with a fraction", .loggedIn, .grant, ["expires_in": "600.9"]),
    Row("expires_in absent", .loggedIn, .grant, ["expires_in": nil]),
    Row("expires_in null", .loggedIn, .grant, ["expires_in": "null"]),
    Row("token_type in small letters", .loggedIn, .grant, ["token_type": #""bearer""#]),
    Row("token_type in capitals", .loggedIn, .grant, ["token_type": #""BEARER""#]),
    Row("token_type absent", .failed(.contentUnexpected), .grant, ["token_type": nil]),
    Row(
      "token_type of another kind", .failed(.contentUnexpected), .grant,
      [
        "token_type": #""mac""#
      ]),
    Row(
      "more members", .loggedIn, .grant,
      [
        "ext_expires_in": "0", "x": #"{"a":[{}]}"#, "refresh_expires_in": "1800",
        "not-before-policy": "0",
      ]),
    Row("scope absent", .loggedIn, .grant, ["scope": nil]),
    Row("scope null", .loggedIn, .grant, ["scope": "null"]),
    Row("scope an array", .loggedIn, .grant, ["scope": #"["openid","profile"]"#]),
    Row("scope with commas and blanks", .loggedIn, .grant, ["scope": #""openid, profile""#]),
    Row("scope a number", .failed(.contentUnexpected), .grant, ["scope": "7"]),
    Row("scope an object", .failed(.contentUnexpected), .grant, ["scope": "{}"]),
    Row("scope an array of numbers", .failed(.contentUnexpected), .grant, ["scope": "[7]"]),
    Row("scope in another order", .loggedIn, .grant, ["scope": #""profile openid""#]),
    Row("refresh_token null", .loggedIn, .grant, ["refresh_token": "null"]),
    Row("refresh_token empty", .loggedIn, .grant, ["refresh_token": #""""#]),
    Row("no ID token", .failed(.contentUnexpected), .grant, ["id_token": nil]),
    Row(
      "an ID token that is none", .failed(.contentUnexpected, "JWT parts"), .grant,
      [
        "id_token": #""a.b""#
      ]),
    Row("no access token", .failed(.contentUnexpected), .grant, ["access_token": nil]),
  ]

  @Test(arguments: grants)
  func `a grant may look odd, but must be one`(_ row: RelyingPartyRow) async throws {
    let (_, context) = try await row.play()
    guard let context else { return }
    let isUnknown = ["expires_in absent", "expires_in null"].contains(row.name)
    #expect((context.expiresAt == nil) == isUnknown)
  }

  /// What is written over an answer, and whether it is one still.
  private static let shapes: [(name: String, isTaken: Bool, edit: EditedLine.Edit)] = [
    ("a byte order mark", true, { $1.body = [0xEF, 0xBB, 0xBF] + $1.body }),
    ("blanks and lines around it", true, { $1.body = Array("\r\n\t ".utf8) + $1.body + [0x0A] }),
    ("labelled as a page", true, { $1.replace("Content-Type", "text/html") }),
    (
      "labelled in capitals", true, { $1.replace("Content-Type", "APPLICATION/JSON;CHARSET=utf-8") }
    ),
    ("without a label", true, { $1.fields.removeAll { $0.name.lowercased() == "content-type" } }),
    ("a name twice", false, { $1.body = Array(#"{"x":1,"x":2,"#.utf8) + $1.body.dropFirst() }),
    ("something behind it", false, { $1.body += Array("{}".utf8) }),
    ("its last half is missing", false, { $1.body = Array($1.body.prefix($1.body.count / 2)) }),
  ]

  @Test(arguments: shapes.indices, ["/.well-known/openid-configuration", "/token", "/keys", "/me"])
  func `JSON is judged by what it is`(_ index: Int, _ place: String) async throws {
    let shape = Self.shapes[index]
    let party = try await RelyingParty()
    party.line.edit.value = { path, reply in if path == place { shape.edit(path, &reply) } }
    let result = try await party.logIn()
    switch result {
    case .success(let context):
      // The page about the person is no proof of a login: it is left out.
      #expect(shape.isTaken || place == "/me", "\(shape.name)")
      #expect((context.user["email"] != nil) == shape.isTaken, "\(shape.name)")
    case .failure(let error):
      #expect(!shape.isTaken, "\(shape.name): \(error)")
      let isUnfound = place.hasPrefix("/.well-known")
      let isKnown =
        error.code == .contentUnexpected || (isUnfound && error.code == .configurationInvalid)
      #expect(isKnown, "\(shape.name): \(error)")
    }
  }

  @Test(arguments: [
    (#"["openid","profile"]"#, "openid profile"), (#"["openid"]"#, "openid"),
    (#""openid, profile""#, "openid profile"), (#""openid,profile""#, "openid profile"),
  ])
  func `the log says what was granted, in whatever form it came`(
    _ scope: String, _ granted: String
  ) async throws {
    let party = try await RelyingParty { $0.changes[.grant] = ["scope": scope] }
    _ = try await party.logIn().get()
    let success = try BookReader.open(at: party.world.path).events(EventFilter())
      .first { $0.kind == "login.succeeded" }
    #expect(success?.data["scope"]?.text == granted)
  }

  @Test func `a form-encoded grant is reported as that, and revoked`() async throws {
    let party = try await RelyingParty()
    party.line.edit.value = { path, reply in
      if path == "/token" { reply.body = Array("access_token=secret-1&token_type=bearer".utf8) }
    }
    guard case .failure(let error) = try await party.logIn() else {
      Issue.record("It was taken.")
      return
    }
    #expect(error.code == .contentUnexpected)
    #expect(error.message.contains("form-encoded"), "\(error)")
    #expect(!error.description.contains("secret-1"))
  }

  @Test(arguments: ["https://other.example", "https://issuer.example/", "nonsense"])
  func `a redirect in another issuer's name shows both`(_ said: String) async throws {
    let party = try await RelyingParty { $0.changes[.redirect] = ["iss": said] }
    guard case .failure(let error) = try await party.logIn() else {
      Issue.record("It was taken.")
      return
    }
    #expect(error.code == .stateMismatch)
    #expect(error.cause?.contains(party.server.issuer) == true, "\(error)")
    #expect(error.cause?.contains(said) == (HTTPURL(said) != nil), "\(error)")
  }

  @Test func `an ID token in another issuer's name shows both`() async throws {
    let party = try await RelyingParty {
      $0.changes[.claims] = ["iss": #""https://other.example""#]
    }
    guard case .failure(let error) = try await party.logIn() else {
      Issue.record("It was taken.")
      return
    }
    #expect(error.code == .contentUnexpected)
    #expect(error.message.contains("https://other.example"), "\(error)")
    #expect(error.message.contains(party.server.issuer), "\(error)")
  }

  // MARK: The page about the person

  private static let pages: [(name: String, isTaken: Bool, change: RelyingPartyRow.Change)] = [
    ("of the same person", true, { _ in }),
    ("of another", false, { $0.changes[.userInfo] = ["sub": #""another""#] }),
    ("of nobody", false, { $0.changes[.userInfo] = ["sub": nil] }),
    ("signed", true, { $0.signsUserInfo = true }),
    (
      "signed, with claims about itself", true,
      {
        $0.signsUserInfo = true
        $0.changes[.userInfo] = ["aud": #"["app","other"]"#, "iat": "1767323045"]
      }
    ),
    (
      "signed, with a line feed", true,
      {
        $0.signsUserInfo = true
        $0.endsUserInfo = "\n"
      }
    ),
    (
      "signed, of another", false,
      {
        $0.signsUserInfo = true
        $0.changes[.userInfo] = ["sub": #""another""#]
      }
    ),
    (
      "signed, for another", false,
      {
        $0.signsUserInfo = true
        $0.changes[.userInfo] = ["aud": #""other""#]
      }
    ),
    (
      "signed, by another issuer", false,
      {
        $0.signsUserInfo = true
        $0.changes[.userInfo] = ["iss": #""https://other.example""#]
      }
    ),
  ]

  @Test(arguments: pages.indices)
  func `the page about the person counts if it is about the same one`(
    _ index: Int
  ) async throws {
    let (name, isTaken, change) = Self.pages[index]
    let party = try await RelyingParty(change)
    let context = try await party.logIn().get()
    #expect((context.user["email"] == "ada@example.test") == isTaken, "\(name)")
    let request = try #require(party.server.requests.last { $0.path == "/me" })
    #expect(request.fields["Authorization"]?.hasPrefix("Bearer access-") == true)
    #expect(request.method == "GET" && request.query == nil && request.body.isEmpty)
  }

  private static func byPassword(_ party: RelyingParty) async throws -> SessionContext {
    try await party.book.logIn(
      .openID(
        issuer: try #require(Issuer(party.server.issuer)),
        application: RelyingParty.application(),
        flow: .password(user: FakeIdentityServer.user, Secret(FakeIdentityServer.password))))
  }

  @Test(arguments: [false, true])
  func `the page tells whose tokens are that came without an ID token, also where it is signed`(
    _ isSigned: Bool
  ) async throws {
    let party = try await RelyingParty {
      $0.signsUserInfo = isSigned
      $0.changes[.grant] = ["id_token": nil]
    }
    let context = try await Self.byPassword(party)
    #expect(context.user["email"] == "ada@example.test")
    _ = try await party.book.restore(context.account)
    #expect(try await party.book.sync().verified == [context.account])
  }

  @Test func `a signed page for another application tells nothing`() async throws {
    let party = try await RelyingParty {
      $0.signsUserInfo = true
      $0.changes[.grant] = ["id_token": nil]
      $0.changes[.userInfo] = ["aud": #""other""#]
    }
    let context = try? await Self.byPassword(party)
    #expect(context == nil)
    #expect(try await party.book.accounts().isEmpty)
  }

  // MARK: The application

  private static let secret = Secret(FakeIdentityServer.secret)

  @Test(arguments: [FakeIdentitySettings.ClientProof.none, .basic, .post, .privateKey])
  func `the application shows who it is in its own way, at login, refresh and logout`(
    _ proof: FakeIdentitySettings.ClientProof
  ) async throws {
    let party = try await RelyingParty { $0.clientProof = proof }
    let authentication: OAuth2Application.Authentication =
      switch proof {
      case .none: .none
      case .basic: .basic(Self.secret)
      case .post: .post(Self.secret)
      case .privateKey: try .privateKey(Secret(FakeIdentityServer.clientKeyPEM))
      }
    let context = try await party.logIn(RelyingParty.application(authentication)).get()
    #expect(try await party.book.renewNow(context.account))
    #expect(party.server.liveTokens.contains("refresh-3"), "\(party.server.liveTokens)")
    try await party.book.logOut(context.account)
    #expect(try await party.book.waitingDeliveries(of: context.account) == 0)
    #expect(!party.server.liveTokens.contains("refresh-3"), "\(party.server.liveTokens)")
  }

  @Test(arguments: [FakeIdentitySettings.ClientProof.basic, .post, .privateKey])
  func `a refused application is reported as that, and the code is not tried again`(
    _ proof: FakeIdentitySettings.ClientProof
  ) async throws {
    let party = try await RelyingParty { $0.clientProof = proof }
    for authentication in [OAuth2Application.Authentication.none, .basic(Secret("x"))] {
      let before = party.count("/token")
      guard
        case .failure(let error) =
          try await party.logIn(RelyingParty.application(authentication))
      else {
        Issue.record("It was let in.")
        continue
      }
      #expect(error.code == .configurationInvalid)
      #expect(error.serverCode == "invalid_client")
      #expect(party.count("/token") == before + 1)
    }
  }
}

extension HTTPReply {
  fileprivate mutating func replace(_ name: String, _ value: String) {
    fields.removeAll { $0.name.lowercased() == name.lowercased() }
    fields.append(HTTPField(name, value))
  }
}
