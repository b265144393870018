import GatebookFakes
import Testing

@Suite struct PortalAdminTests {
  private let portal: FakeLiferayPortal
  private let visitor: Visitor
  private let ada = FakePortalUser.ada

  init() throws {
    portal = try startedPortal()
    visitor = Visitor(portal)
  }

  private func call() -> Answer? {
    visitor.call(Call.currentUser, as: "ada", ada.password)
  }

  @Test func `users are made and changed`() throws {
    #expect(visitor.admin("users", "userId=7&screenName=dora&password=d%26%20ra")?.text == "{}")
    #expect(visitor.call(Call.byID(7), as: "dora", "d& ra")?.status == 200)
    let change = "userId=123456&jobTitle=Countess&admin=true&companyId=5&emailAddress=a%40b"
    #expect(visitor.admin("users", change + "&firstName=A&lastName=L")?.status == 200)
    let user = try #require(portal.users.first { $0.userID == 123_456 })
    #expect(user.isAdministrator)
    #expect(user.password == ada.password)
    #expect(
      [user.jobTitle, user.emailAddress, user.firstName, user.lastName] == [
        "Countess", "a@b", "A", "L",
      ])
    #expect(user.companyID == 5)
    #expect(visitor.admin("users", "userId=123456&lockout=true")?.status == 200)
    #expect(call()?.status == 403)
    #expect(visitor.admin("users", "userId=123456&lockout=false")?.status == 200)
    #expect(call()?.status == 200)
  }

  @Test func `all switches are set by name`() throws {
    let body = [
      "version=70", "clockSkew=-60", "badBasic=401", "omitToken=true", "tokenLength=12",
      "renewOnRedirect=true", "csrfForLogin=true", "csrfForBasic=true", "csrfAsHTML=true",
      "front=door%3Ake%3Ay", "frontSchemes=md5,basic", "sessionInactivity=60",
      "loginName=screenName",
      "passwordCookie=false", "uuidCookie=true", "screensPlugin=false", "badBearer=guest",
      "rotate=false", "refreshGrace=7", "endAccessOnRefresh=true", "omitRefreshToken=true",
      "omitExpiresIn=true", "emptyBadClient=true", "revocation=true", "accessLifetime=5",
      "refreshLifetime=6", "badTimestamp=401", "omitProblem=true", "callbackConfirmed=off",
    ]
    #expect(visitor.admin("switches", body.joined(separator: "&"))?.status == 200)
    var expected = FakePortalSwitches(version: .v70)
    expected.clockSkew = .seconds(-60)
    expected.refusesBadBasic = true
    expected.omitsToken = true
    expected.tokenLength = 12
    expected.renewsSessionOnRedirect = true
    expected.needsTokenForLogin = true
    expected.needsTokenForBasic = true
    expected.refusesTokenAsHTML = true
    expected.front = FakePortalFront(name: "door", password: "ke:y", schemes: [.md5, .basic])
    expected.sessionInactivity = .seconds(60)
    expected.loginName = .screenName
    expected.setsPasswordCookie = false
    expected.setsUUIDCookie = true
    expected.hasScreensPlugin = false
    expected.takesBadBearerForGuest = true
    expected.rotatesRefreshToken = false
    expected.refreshTokenGrace = .seconds(7)
    expected.endsAccessTokenOnRefresh = true
    expected.omitsRefreshToken = true
    expected.omitsExpiresIn = true
    expected.emptyRefusalOfBadClient = true
    expected.hasRevocation = true
    expected.accessTokenLifetime = .seconds(5)
    expected.refreshTokenLifetime = .seconds(6)
    expected.refusesTimestampWith401 = true
    expected.omitsOAuthProblem = true
    expected.callbackConfirmation = nil
    #expect(portal.switches == expected)
    #expect(visitor.admin("switches", "front=off")?.status == 200)
    #expect(portal.switches.front == nil)
    #expect(visitor.admin("switches", "callbackConfirmed=True")?.status == 200)
    #expect(portal.switches.callbackConfirmation == "True")
  }

  @Test func `applications and consumers are made and changed, tokens taken back`() throws {
    let application =
      "clientId=new&secret=s%26&grants=password%20refresh_token&redirectUris=a%3A%2F%2Fb&scopes=x"
    #expect(visitor.admin("applications", application)?.text == "{}")
    #expect(
      portal.applications.last
        == FakePortalApplication(
          "new", secret: "s&", grants: [.password, .refreshToken], redirectURIs: ["a://b"],
          scopes: ["x"]))
    #expect(visitor.admin("applications", "clientId=new&secret=")?.status == 200)
    #expect(portal.applications.last?.secret == nil)
    #expect(portal.applications.last?.scopes == ["x"])
    #expect(portal.applications.count == 3)
    #expect(visitor.admin("consumers", "key=k&secret=s%20")?.status == 200)
    #expect(visitor.admin("consumers", "key=gb-consumer&secret=t")?.status == 200)
    #expect(
      portal.consumers == [
        FakePortalConsumer("k", secret: "s "), FakePortalConsumer("gb-consumer", secret: "t"),
      ])
    let form = "grant_type=password&username=ada&password=\(Visitor.encoded(ada.password))"
    for body in ["userId=123456", ""] {
      let answer = visitor.ask(
        "POST", "/o/oauth2/token", [("Content-Type", "application/x-www-form-urlencoded")],
        body: form + "&client_id=new")
      #expect(answer?.status == 200)
      #expect(visitor.admin("tokens/revoke", "userId=5")?.status == 200)
      #expect(portal.tokens.count == 1)
      #expect(visitor.admin("tokens/revoke", body)?.status == 200)
      #expect(portal.tokens.isEmpty)
    }
  }

  @Test(arguments: [
    ("switches", "version=80"), ("switches", "omitToken=perhaps"), ("switches", "nonsense=1"),
    ("switches", "version=62&nonsense=1"), ("users", "password=x"), ("faults", "kind=nonsense"),
    ("faults", "kind=status&route=*"), ("faults", "kind=dropBefore"), ("misreport", ""),
    ("faults", "kind=dropBefore&route=*&times=often"), ("clock", "advance=soon"),
    ("switches", "frontSchemes=md5"), ("switches", "front=a%3Ab&frontSchemes=rot13"),
    ("applications", "secret=x"), ("applications", "clientId=gb-native&grants=all"),
    ("consumers", "key=x"),
  ])
  func `nonsense is refused and changes nothing`(_ route: String, _ body: String) {
    #expect(visitor.admin(route, body)?.status == 400)
    #expect(portal.switches == FakePortalSwitches())
    #expect(call()?.status == 200)
  }

  @Test func `admin requests are made with POST to what there is`() {
    #expect(RawClient.ask(portal.port, "GET", "/admin/log")?.status == 400)
    #expect(visitor.admin("nonsense")?.status == 404)
  }

  @Test(arguments: [
    ("kind=dropBefore", nil), ("kind=dropAfter", nil), ("kind=truncate&bytes=2", nil),
    ("kind=delay&seconds=5", 200), ("kind=status&status=503&retryAfter=1", 503),
    ("kind=html", 200), ("kind=html&status=500", 500), ("kind=redirect&location=%2Fc", 302),
    ("kind=redirect&location=%2Fc&status=307", 307), ("kind=redirectLoop", 302),
    ("kind=huge&bytes=100", 200), ("kind=cookieBomb", 200), ("kind=exception&message=oh", 500),
  ])
  func `faults are put on routes`(_ fault: String, _ status: Int?) {
    #expect(visitor.admin("faults", "\(fault)&route=/api/jsonws/invoke&times=2")?.status == 200)
    #expect([call()?.status, call()?.status, call()?.status] == [status, status, 200])
  }

  @Test func `stalls end when the portal stops and faults can be taken back`() async throws {
    #expect(visitor.admin("faults", "kind=stallAfter&route=*&times=always")?.status == 200)
    #expect(visitor.admin("faults/clear")?.status == 200)
    #expect(call()?.status == 200)
    #expect(visitor.admin("faults", "kind=stallBefore&route=*&times=always")?.status == 200)
    let client = try #require(RawClient(portal.port))
    client.send("GET / HTTP/1.1\r\n\r\n")
    _ = await portal.requests(atLeast: 5)
    portal.stop()
    #expect(client.readToEnd().isEmpty)
  }

  @Test func `sessions are ended and aged`() {
    for step in ["sessions/end?userId=123456", "sessions/end?", "clock?advance=1800"] {
      visitor.logIn(ada)
      #expect(visitor.ask("GET", "/documents/1")?.status == 200)
      let parts = step.split(separator: "?").map(String.init)
      #expect(visitor.admin(parts[0], parts.count > 1 ? parts[1] : "")?.status == 200)
      #expect(visitor.ask("GET", "/documents/1")?.status == 403)
    }
    visitor.logIn(ada)
    #expect(visitor.admin("sessions/end", "userId=123457")?.status == 200)
    #expect(visitor.ask("GET", "/documents/1")?.status == 200)
  }

  @Test func `wrong IDs are returned as often as set`() {
    #expect(visitor.admin("misreport", "userId=9&times=2")?.status == 200)
    let isWrong = (1...3).map { _ in call()?.text.contains(#""userId":"9""#) }
    #expect(isWrong == [true, true, false])
  }

  @Test func `the log is returned as JSON and emptied`() throws {
    _ = call()
    _ = visitor.ask("GET", "/documents/\"1")
    let log = try #require(visitor.admin("log"))
    #expect(log["Content-Type"] == "application/json;charset=UTF-8")
    #expect(log.text.hasPrefix(#"[{"number":1,"method":"POST","target":"/api/jsonws/invoke","#))
    #expect(log.text.contains(#""body":"[{\"/user/get-current-user\":{}}]","#))
    let tail =
      #""receivedMicroseconds":1767323045000000,"userId":123456,"via":"basic","status":200}"#
    #expect(log.text.contains(tail))
    #expect(log.text.contains(#""target":"/documents/\"1""#))
    #expect(log.text.hasSuffix(#""userId":null,"via":"guest","status":403}]"#))
    #expect(visitor.admin("log/clear")?.status == 200)
    #expect(visitor.admin("log")?.text == "[]")
  }
}
