import Gatebook
import GatebookFakes
import GatebookLoginPage
import GatebookSystem
import Testing

/// The chooser, and the forms of the other methods.
@Suite(.timeLimit(.minutes(2)))
struct PageMethodTests {
  // MARK: Accounts

  @Test func `a person chooses an account`() async throws {
    let stage = try await PortalPage()
    let (book, page) = (stage.world.book, stage.world.page)
    let portal = LiferayPortal(
      server: try #require(HTTPURL(stage.portal.url)), companyID: 10154, version: .v7)
    for user in [FakePortalUser.ada, .ben] {
      _ = try await book.logIn(
        .liferay(portal, .basic(.email(user.emailAddress), password: Secret(user.password))),
        options: LoginOptions(label: user == .ben ? "<b>Ben</b>\u{202E}" : nil))
    }
    let accounts = try await book.accounts()
    let choice = Task { try await page.choose(among: accounts) }
    let shown = try await stage.browser.open()
    #expect(shown.heading == "Choose an account")
    #expect(Set(shown.accounts.map(\.name)) == [FakePortalUser.ada.emailAddress, "<b>Ben</b>"])
    #expect(shown.html.contains("Active"))
    #expect(!shown.html.contains("<b>Ben"))
    #expect(!shown.html.contains("\u{202E}"))
    // One that is not among them is not taken.
    let again = try await stage.browser.submit(shown, button: "", ["account": "elsewhere"])
    #expect(again.heading == "Choose an account")
    #expect(again.screen != shown.screen)
    let ben = try #require(again.accounts.first { $0.name.hasPrefix("<b>") })
    try await stage.browser.post(again, button: "", ["account": ben.id])
    let chosen = try await choice.value
    #expect(chosen.account.description == ben.id)
    await page.finish(with: chosen)
    let done = try await stage.browser.reload()
    #expect(done.heading == "You continue with this account")
    #expect(done.facts["Account"] == "<b>Ben</b>")
  }

  @Test func `the choice of an account can be cancelled`() async throws {
    let stage = try await PortalPage()
    let page = stage.world.page
    let choice = Task { try await page.choose(among: []) }
    let shown = try await stage.browser.open()
    let end = try await stage.browser.submit(shown, button: "cancel")
    #expect(end.heading == "The login was canceled")
    await #expect { try await choice.value } throws: {
      ($0 as? GatebookError)?.code == .challengeCancelled
    }
  }

  @Test func `a login that continues elsewhere says where`() async throws {
    let stage = try await PortalPage()
    await stage.world.page.continueElsewhere(
      at: Origin(scheme: "https", host: "portal.example", port: 443))
    let shown = try await stage.browser.open()
    #expect(shown.html.contains("https://portal.example"))
    #expect(!shown.hasForm)
  }

  // MARK: MobileFirst

  private func mobileFirst() async throws -> (PageWorld, FakeMobileFirstServer, LoginForm) {
    let world = try await PageWorld()
    let server = try FakeMobileFirstServer.sample(clock: world.clock)
    try server.start()
    let app = MobileFirstApp(
      server: try #require(HTTPURL("\(server.url)/mfp")), applicationID: "com.example.app",
      version: "1.0")
    return (world, server, .mobileFirst(app, check: "UserLogin"))
  }

  @Test func `a security check shows its words and the attempts that are left`() async throws {
    let (world, server, form) = try await mobileFirst()
    let login = world.begin(form)
    var page = try await world.browser.open()
    #expect(page.value("saveCredentials") == nil)
    #expect(!page.isOn("rememberMe"))
    for left in [2, 1] {
      page = try await world.browser.submit(
        page, ["user": "john", "password": "wrong", "rememberMe": "on"])
      let error = page.error("password")
      #expect(error.contains("Wrong Credentials"), "\(page.html)")
      #expect(error.hasSuffix("Attempts left: \(left)."), "\(error)")
      #expect(page.isOn("rememberMe"))
      #expect(page.value("user") == "john")
    }
    page = try await world.browser.submit(
      page, ["user": "john", "password": "john", "rememberMe": "on"])
    #expect(page.heading == "You are logged in")
    #expect(try await login.value.get().state == .active)
    let last = server.requests(to: .preauthorize).last?.request.body ?? []
    #expect(String(decoding: last, as: UTF8.self).contains("rememberMe"))
  }

  @Test func `a security check that blocks says so at the password`() async throws {
    let (world, server, form) = try await mobileFirst()
    let login = world.begin(form)
    var page = try await world.browser.open()
    for _ in 0..<3 {
      page = try await world.browser.submit(page, ["user": "john", "password": "wrong"])
    }
    #expect(page.error("password").hasPrefix("The server has blocked further attempts for now."))
    _ = try await world.browser.submit(page, button: "cancel")
    if case .failure(let error) = await login.value {
      #expect(error.code == .challengeCancelled)
    } else {
      Issue.record("The login succeeded.")
    }
    server.stop()
  }

  // MARK: FCSDK

  private func gateway(
    _ tls: LoopbackTLS? = nil
  ) async throws -> (PageWorld, FakeGateway) {
    let world = try await PageWorld()
    let gateway = try FakeGateway(tls: tls, clock: world.clock)
    try gateway.start()
    return (world, gateway)
  }

  @Test func `a gateway's settings are fields of the form`() async throws {
    let (world, gateway) = try await gateway()
    let login = world.begin(.fcsdk())
    var page = try await world.browser.open()
    #expect(page.value("server") == "")
    #expect(page.value("port") == "8443")
    #expect(page.isOn("secure"))
    #expect(page.isOn("useCookies"))
    #expect(!page.isOn("acceptsCertificates"))
    page = try await world.browser.submit(
      page,
      [
        "server": "http://127.0.0.1", "port": "99999", "secure": "on", "user": "ada",
        "password": FakeGatewayUser.ada.password,
      ])
    #expect(
      page.error("server") == "Enter a host name or an IP address, such as gateway.example.")
    #expect(page.error("port") == "Enter a number from 1 to 65535.")
    #expect(page.value("server") == "http://127.0.0.1")
    #expect(!page.isOn("useCookies"))
    #expect(gateway.requests.isEmpty)
    page = try await world.browser.submit(
      page,
      [
        "server": "127.0.0.1", "port": "\(gateway.port)", "user": "ada",
        "password": FakeGatewayUser.ada.password,
      ])
    #expect(page.heading == "You are logged in", "\(page.html)")
    #expect(try await login.value.get().server == gateway.url)
    #expect(gateway.sessions.map(\.username) == ["ada"])
  }

  @Test func `a gateway that cannot be reached is a mistake of its address`() async throws {
    let (world, gateway) = try await gateway()
    gateway.stop()
    let login = world.begin(.fcsdk())
    let page = try await world.browser.open()
    let failed = try await world.browser.submit(
      page,
      [
        "server": "127.0.0.1", "port": "\(gateway.port)", "user": "ada", "password": "x",
      ])
    #expect(
      failed.error("server")
        == "127.0.0.1 could not be reached. Check the address and the network.")
    login.cancel()
    _ = await login.value
  }

  @Test
  func
    `a certificate that nobody can verify is refused without the switch, and asked about with it`()
    async throws
  {
    let certificate = try TestCertificate.selfSigned()
    let (world, gateway) = try await gateway(LoopbackTLS(certificate))
    let login = world.begin(.fcsdk())
    let form = try await world.browser.open()
    func answers(_ accepts: String) -> KeyValuePairs<String, String> {
      [
        "server": "127.0.0.1", "port": "\(gateway.port)", "secure": "on", "useCookies": "on",
        "acceptsCertificates": accepts, "user": "ada", "password": FakeGatewayUser.ada.password,
      ]
    }
    let refused = try await world.browser.submit(form, answers(""))
    #expect(
      refused.error("acceptsCertificates")
        == "The certificate of 127.0.0.1 cannot be verified. Nothing was sent.")
    #expect(refused.isOn("secure"))
    #expect(gateway.requests.isEmpty)
    // The person refuses the key first.
    var question = try await world.browser.submit(refused, answers("on"))
    #expect(question.heading == "Is this the right server?")
    #expect(question.facts["Key (SHA-256)"] == certificate.pin)
    #expect(question.facts["Problem"] == "The server issued it to itself.")
    let back = try await world.browser.submit(question, button: "refuseCertificate")
    #expect(!back.error("acceptsCertificates").isEmpty)
    #expect(gateway.requests.isEmpty)
    question = try await world.browser.submit(back, answers("on"))
    let done = try await world.browser.submit(question, button: "acceptCertificate")
    #expect(done.heading == "You are logged in", "\(done.html)")
    let context = try await login.value.get()
    #expect(context.server == gateway.url)
    #expect(try await world.book.savedSettings(of: context.account)?.trust.exceptions.count == 1)
  }
}
