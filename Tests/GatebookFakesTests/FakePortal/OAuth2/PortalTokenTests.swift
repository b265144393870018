import GatebookFakes
import GatebookTestSupport
import Testing

/// The token endpoint.
@Suite struct PortalTokenTests {
  private let portal: FakeLiferayPortal
  private let visitor: Visitor
  private let ada = FakePortalUser.ada
  private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  private static let callback = "screens://oauth2_callback"
  private static let confidential = FakePortalApplication.confidential
  private static let basic = (
    name: confidential.clientID, password: confidential.secret ?? ""
  )

  init() throws {
    portal = try startedPortal()
    visitor = Visitor(portal)
  }

  private func token(
    _ pairs: Visitor.Pairs, basic: (name: String, password: String)? = nil
  ) -> Answer? {
    visitor.post("/o/oauth2/token", pairs, basic: basic)
  }

  private func logIn(scope: String? = nil, password: String? = nil) -> Answer? {
    let password = password ?? ada.password
    guard let scope else {
      return token(
        ["grant_type": "password", "username": "ada", "password": password], basic: Self.basic)
    }
    return token(
      ["grant_type": "password", "username": "ada", "password": password, "scope": scope],
      basic: Self.basic)
  }

  private func refresh(_ value: String?) -> Answer? {
    token(["grant_type": "refresh_token", "refresh_token": value ?? ""], basic: Self.basic)
  }

  private func code() async throws -> String {
    let query =
      "response_type=code&client_id=gb-native&redirect_uri=\(Visitor.encoded(Self.callback))"
      + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
    let ending = try await PortalVisitor(ada).visit("\(portal.url)/o/oauth2/authorize?\(query)")
    guard case .redirected(let url) = ending else { return "" }
    return try #require(LoopbackRequest("GET", url).queryValue("code"))
  }

  private func redeem(
    _ code: String, verifier: String = verifier, callback: String = callback,
    client: String = "gb-native"
  ) -> Answer? {
    token([
      "grant_type": "authorization_code", "redirect_uri": callback, "code": code,
      "code_verifier": verifier, "client_id": client,
    ])
  }

  private func isAlive(_ token: String?) -> Bool {
    visitor.call(Call.currentUser, authorization: "Bearer \(token ?? "")")?.status == 200
  }

  @Test func `a code becomes a pair of tokens once`() async throws {
    let code = try await code()
    let answer = try #require(redeem(code))
    let access = try #require(answer.member("access_token"))
    let refresh = try #require(answer.member("refresh_token"))
    #expect(answer.status == 200)
    #expect(answer["Cache-Control"] == "no-store")
    #expect(answer["Pragma"] == "no-cache")
    #expect(
      answer.text == #"{"access_token":"\#(access)","token_type":"Bearer","expires_in":600,"#
        + #""scope":"everything.read everything.write","refresh_token":"\#(refresh)"}"#)
    #expect([access, refresh].allSatisfy { $0.utf8.count == 64 && $0.allSatisfy(\.isHexDigit) })
    #expect(isAlive(access))
    #expect(portal.requests(to: .token).last?.userID == ada.userID)
    #expect(Set(portal.secretsIssued).isSuperset(of: [code, access, refresh]))
    let again = redeem(code)
    #expect(again?.status == 400)
    #expect(again?.text == #"{"error":"invalid_grant"}"#)
  }

  @Test func `a code wants its verifier, its redirect URI, its client and its time`() async throws {
    let wrong = [
      redeem(try await code(), verifier: Self.verifier + "x"),
      redeem(try await code(), verifier: ""),
      redeem(try await code(), callback: "http://127.0.0.1:8910/callback"),
      token(
        [
          "grant_type": "authorization_code", "redirect_uri": Self.callback,
          "code": try await code(), "code_verifier": Self.verifier,
        ], basic: Self.basic),
      token([
        "grant_type": "authorization_code", "redirect_uri": Self.callback,
        "code": try await code(), "client_id": "gb-native",
      ]),
    ]
    #expect(wrong.map { $0?.text } == Array(repeating: #"{"error":"invalid_grant"}"#, count: 5))
    let spent = try await code()
    _ = redeem(spent, verifier: "wrong")
    #expect(redeem(spent)?.status == 400)
    let late = try await code()
    portal.advance(by: .seconds(600))
    #expect(redeem(late)?.status == 400)
  }

  @Test func `a name and a password become a pair, and count as a login`() {
    #expect(isAlive(logIn()?.member("access_token")))
    #expect(logIn(scope: "everything.read")?.member("scope") == "everything.read")
    for _ in 1...5 { #expect(logIn(password: "wrong")?.text == #"{"error":"invalid_grant"}"#) }
    #expect(portal.users.first?.isLockedOut == true)
    #expect(logIn()?.status == 400)
  }

  @Test(arguments: ["", "everything.read more"])
  func `no more may be asked for than there is, and no less than a name`(_ scope: String) {
    #expect(logIn(scope: scope)?.text == #"{"error":"invalid_scope"}"#)
  }

  @Test func `a refresh always rotates and ends the old token at once`() {
    let first = logIn()
    let second = refresh(first?.member("refresh_token"))
    #expect(second?.status == 200)
    #expect(second?.member("refresh_token") != first?.member("refresh_token"))
    #expect(isAlive(second?.member("access_token")))
    #expect(isAlive(first?.member("access_token")))
    #expect(refresh(first?.member("refresh_token"))?.text == #"{"error":"invalid_grant"}"#)
    #expect(refresh(second?.member("refresh_token"))?.status == 200)
    #expect(portal.requests(to: .token).map(\.status) == [200, 200, 400, 200])
  }

  @Test func `a refresh token belongs to its client`() async throws {
    let refresh = redeem(try await code())?.member("refresh_token") ?? ""
    #expect(self.refresh(refresh)?.status == 400)
    let pairs: Visitor.Pairs = [
      "grant_type": "refresh_token", "refresh_token": refresh, "client_id": "gb-native",
    ]
    #expect(token(pairs)?.status == 200)
  }

  @Test func `tokens end when their time is over`() {
    portal.switches.accessTokenLifetime = .seconds(60)
    let first = logIn()
    #expect(first?.text.contains(#""expires_in":60,"#) == true)
    portal.advance(by: .seconds(59))
    #expect(isAlive(first?.member("access_token")))
    portal.advance(by: .seconds(1))
    #expect(!isAlive(first?.member("access_token")))
    portal.advance(by: .seconds(604_740))
    #expect(refresh(first?.member("refresh_token"))?.status == 400)
  }

  @Test func `an application gets tokens of its own, without a refresh token`() throws {
    let answer = token(["grant_type": "client_credentials"], basic: Self.basic)
    let access = try #require(answer?.member("access_token"))
    #expect(
      answer?.text == #"{"access_token":"\#(access)","token_type":"Bearer","expires_in":600,"#
        + #""scope":"everything.read everything.write"}"#)
    #expect(!isAlive(access))
    #expect(portal.requests.map(\.scheme) == [.bearer, .bearer])
    #expect(portal.requests.map(\.status) == [200, 403])
    #expect(portal.requests.allSatisfy { $0.userID == nil })
  }

  @Test(arguments: [true, false])
  func `a wrong secret gets 401, empty from older portals`(_ isEmpty: Bool) {
    portal.switches.emptyRefusalOfBadClient = isEmpty
    let pairs: Visitor.Pairs = ["grant_type": "client_credentials"]
    let encoded = Visitor.encoded(Self.basic.password)
    for answer in [
      token(pairs, basic: (Self.basic.name, "wrong")), token(pairs, basic: (Self.basic.name, "")),
      token(pairs, basic: (Self.basic.name, encoded)), token(pairs, basic: ("gb-native", "x")),
      token(["grant_type": "client_credentials", "client_id": Self.basic.name]),
    ] {
      #expect(answer?.status == 401)
      #expect(answer?.text == (isEmpty ? "" : #"{"error":"invalid_client"}"#))
    }
  }

  @Test func `a secret may come in the form, but not twice`() {
    let pairs: Visitor.Pairs = [
      "grant_type": "client_credentials", "client_id": Self.basic.name,
      "client_secret": Self.basic.password,
    ]
    #expect(token(pairs)?.status == 200)
    #expect(token(pairs, basic: Self.basic)?.status == 401)
  }

  @Test func `unknown clients, unknown grants and grants that are not allowed`() {
    let unknown = #"{"error":"invalid_request","error_description":"Client ID is invalid"}"#
    let client = token(["grant_type": "password", "client_id": "nobody"])
    #expect(client?.status == 400)
    #expect(client?.text == unknown)
    #expect(token(["grant_type": "password"])?.text == unknown)
    let grant = token(["grant_type": "guess"], basic: Self.basic)
    #expect(grant?.status == 400)
    #expect(grant?.text == #"{"error":"unsupported_grant_type"}"#)
    let denied = #"{"error":"unauthorized_client"}"#
    #expect(token(["grant_type": "password", "client_id": "gb-native"])?.text == denied)
    portal.applications[0].grants = [.clientCredentials]
    #expect(token(["grant_type": "client_credentials", "client_id": "gb-native"])?.text == denied)
    #expect(visitor.ask("GET", "/o/oauth2/token")?.status == 405)
  }

  @Test func `without the grant to refresh nobody gets a refresh token`() {
    portal.applications[1].grants = [.password]
    #expect(logIn()?.text.contains("refresh_token") == false)
  }

  @Test func `a portal may take a replaced refresh token for a time of grace`() {
    portal.switches.refreshTokenGrace = .seconds(30)
    let first = logIn()?.member("refresh_token")
    let second = refresh(first)?.member("refresh_token")
    #expect(second != first)
    portal.advance(by: .seconds(29))
    let third = refresh(first)
    #expect(third?.status == 200)
    #expect(third?.member("refresh_token") != second)
    // Its use does not prolong the grace.
    portal.advance(by: .seconds(1))
    #expect(refresh(first)?.text == #"{"error":"invalid_grant"}"#)
    #expect(refresh(second)?.status == 200)
  }

  @Test func `a portal may leave the refresh token out and keep the old one`() {
    let first = logIn()?.member("refresh_token")
    portal.switches.omitsRefreshToken = true
    let second = refresh(first)
    #expect(second?.status == 200)
    #expect(second?.text.contains("refresh_token") == false)
    #expect(isAlive(second?.member("access_token")))
    #expect(refresh(first)?.status == 200)
    #expect(logIn()?.text.contains("refresh_token") == false)
  }

  @Test func `a portal may leave the life out`() {
    portal.switches.omitsExpiresIn = true
    #expect(logIn()?.text.contains("expires_in") == false)
  }

  @Test func `a refresh may end the old access token too`() {
    portal.switches.endsAccessTokenOnRefresh = true
    let first = logIn()
    #expect(refresh(first?.member("refresh_token"))?.status == 200)
    #expect(!isAlive(first?.member("access_token")))
    #expect(portal.tokens.count == 1)
  }

  @Test func `a restart keeps tokens, and a fault after acting has used the old one up`() throws {
    let first = logIn()
    portal.stop()
    try portal.start()
    #expect(isAlive(first?.member("access_token")))
    portal.inject(.dropAfterActing, on: .token)
    #expect(refresh(first?.member("refresh_token")) == nil)
    #expect(refresh(first?.member("refresh_token"))?.status == 400)
  }
}
