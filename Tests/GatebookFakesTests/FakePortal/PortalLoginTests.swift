import GatebookFakes
import Testing

@Suite struct PortalLoginTests {
  private let ada = FakePortalUser.ada

  @Test func `the form leads over two redirects to a page with a token that works`() throws {
    let portal = try startedPortal()
    let visitor = Visitor(portal, cookies: ["COOKIE_SUPPORT": "true"])
    let login = try #require(visitor.submit(ada.emailAddress, ada.password))
    #expect(login.status == 302)
    #expect(login["Location"] == "/c")
    let id = try #require(login.cookie("JSESSIONID"))
    let cipher = try #require(login.cookie("ID"))
    #expect(
      login.values("Set-Cookie") == [
        "JSESSIONID=\(id); Path=/; HttpOnly", "COMPANY_ID=10154; Path=/", "ID=\(cipher); Path=/",
        "COOKIE_SUPPORT=true; Path=/; Expires=Sat, 02 Jan 2027 03:04:05 GMT",
        "GUEST_LANGUAGE_ID=en_US; Path=/; Expires=Sat, 02 Jan 2027 03:04:05 GMT",
      ])
    let page = try #require(visitor.follow(login))
    #expect(page.status == 200)
    #expect(page["Content-Type"] == "text/html;charset=UTF-8")
    #expect(visitor.token?.count == 8)
    #expect(visitor.call(Call.currentUser)?.text.contains(#""userId":"123456""#) == true)
    #expect(
      portal.requests.map(\.request.path) == [
        "/c/portal/login", "/c", "/web/guest", "/api/jsonws/invoke",
      ])
    #expect(portal.requests.allSatisfy { $0.userID == ada.userID && $0.scheme == .session })
    #expect(Set(portal.secretsIssued).isSuperset(of: [id, cipher, visitor.token ?? ""]))
  }

  @Test(arguments: FakePortalVersion.allCases)
  func `a wrong password ends on a page with a token that opens nothing`(
    _ version: FakePortalVersion
  ) throws {
    let portal = try startedPortal(version)
    let visitor = Visitor(portal, cookies: ["COOKIE_SUPPORT": "true"])
    let login = try #require(visitor.submit(ada.emailAddress, "wrong"))
    #expect(login.status == 302)
    #expect(login["Location"]?.hasPrefix("/web/guest?p_p_id=") == true)
    #expect(login.cookie("ID") == nil)
    #expect(visitor.follow(login)?.status == 200)
    #expect(visitor.token?.count == 8)
    let call = version == .v62 ? Call.currentUser62 : Call.currentUser
    #expect(visitor.call(call)?.text.contains("userId") == false)
    #expect(portal.users.first?.failedLoginAttempts == 1)
  }

  @Test func `five wrong forms lock the user out`() throws {
    let portal = try startedPortal()
    let visitor = Visitor(portal, cookies: ["COOKIE_SUPPORT": "true"])
    for _ in 1...5 { _ = visitor.submit("ada", "wrong") }
    #expect(visitor.submit("ada", ada.password)?["Location"]?.hasPrefix("/web/guest?") == true)
    #expect(portal.users.first?.isLockedOut == true)
  }

  @Test func `without COOKIE_SUPPORT, by GET or with the password in the query nobody logs in`()
    throws
  {
    let portal = try startedPortal()
    let visitor = Visitor(portal)
    let location = visitor.submit("ada", ada.password)?["Location"]
    #expect(location?.hasSuffix("error=cookies-not-supported") == true)
    visitor.cookies["COOKIE_SUPPORT"] = "true"
    let query = "login=ada&password=\(Visitor.encoded(ada.password))"
    let form = [("Content-Type", "application/x-www-form-urlencoded")]
    for answer in [
      visitor.ask("GET", "/c/portal/login?\(query)"),
      visitor.ask("POST", "/c/portal/login?\(query)", form),
      visitor.ask("POST", "/c/portal/login", [("Content-Type", "text/plain")], body: query),
    ] {
      #expect(answer?["Location"]?.hasPrefix("/web/guest?p_p_id=") == true)
    }
    #expect(portal.sessions.allSatisfy { $0.userID == nil })
  }

  @Test func `a login gets a new session and ends the guest's`() throws {
    let portal = try startedPortal()
    let visitor = Visitor(portal)
    _ = visitor.ask("GET", "/")
    let (guest, guestToken) = (visitor.cookies["JSESSIONID"], visitor.token)
    #expect(visitor.cookies["COOKIE_SUPPORT"] == "true")
    visitor.logIn(ada)
    #expect(visitor.cookies["JSESSIONID"] != guest)
    #expect(visitor.token != guestToken)
    #expect(portal.sessions.map(\.userID) == [ada.userID])
    #expect(visitor.call(Call.currentUser, token: guestToken)?.status == 403)
  }

  @Test(arguments: [
    ("/documents/1", "/documents/1"), ("//evil.example/", "/c"), ("http://evil.example/", "/c"),
  ])
  func `the form may name a page of the portal to go to`(
    _ redirect: String, _ location: String
  ) throws {
    let portal = try startedPortal()
    let visitor = Visitor(portal, cookies: ["COOKIE_SUPPORT": "true"])
    let more = "&redirect=\(Visitor.encoded(redirect))"
    #expect(visitor.submit("ada", ada.password, more)?["Location"] == location)
  }

  @Test func `the form may say what its name is`() throws {
    let portal = try startedPortal()
    let visitor = Visitor(portal, cookies: ["COOKIE_SUPPORT": "true"])
    let wrong = visitor.submit("ada", ada.password, "&authType=emailAddress")
    #expect(wrong?["Location"] != "/c")
    #expect(visitor.submit("ada", ada.password, "&authType=screenName")?["Location"] == "/c")
  }

  @Test(arguments: [true, false])
  func `a remembered login has cookies for a year`(_ setsPassword: Bool) throws {
    let portal = try startedPortal { $0.setsPasswordCookie = setsPassword }
    let visitor = Visitor(portal, cookies: ["COOKIE_SUPPORT": "true"])
    let login = try #require(visitor.submit("ada", ada.password, "&rememberMe=true"))
    let remembered = login.values("Set-Cookie").filter { $0.contains("; Max-Age=31536000") }
    let names = remembered.map { $0.prefix { $0 != "=" } }
    let password: [Substring] = setsPassword ? ["PASSWORD"] : []
    #expect(names == ["COMPANY_ID", "ID", "LOGIN"] + password + ["REMEMBER_ME", "SCREEN_NAME"])
    #expect(login.cookie("LOGIN") == "ada")
    #expect(!login.values("Set-Cookie").joined().contains(ada.password))
    _ = visitor.ask("GET", "/c/portal/logout")
    #expect(visitor.cookies["LOGIN"] == "ada")
    #expect(visitor.cookies["REMEMBER_ME"] == nil)
  }

  @Test func `a portal may want a token with the form`() throws {
    let portal = try startedPortal { $0.needsTokenForLogin = true }
    let visitor = Visitor(portal, cookies: ["COOKIE_SUPPORT": "true"])
    #expect(visitor.submit("ada", ada.password)?.status == 403)
    _ = visitor.ask("GET", "/web/guest")
    #expect(visitor.submit("ada", ada.password, "&p_auth=wrong")?.status == 403)
    let token = try #require(visitor.token)
    #expect(visitor.submit("ada", ada.password, "&p_auth=\(token)")?["Location"] == "/c")
  }
}
