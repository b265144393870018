import Gatebook
import GatebookFakes
import GatebookLoginPage
import GatebookTestSupport
import Testing

/// How a login ends, and how the page ends with it.
@Suite(.timeLimit(.minutes(2)))
struct PageEndTests {
  private func code(_ login: BegunLogin) async -> FailureCode? {
    if case .failure(let error) = await login.value { error.code } else { nil }
  }

  @Test func `the login of another user than the account's says so, and changes nothing`()
    async throws
  {
    let stage = try await PortalPage()
    let ben = FakePortalUser.ben
    let first = stage.world.begin(try stage.form())
    var page = try await stage.browser.open()
    page = try await stage.browser.submit(
      page, ["user": ben.emailAddress, "password": ben.password])
    let account = try await first.value.get().account
    let other = try LoginPage(clock: stage.world.clock)
    let (book, form) = (stage.world.book, try stage.form())
    let second = Task { () -> FailureCode? in
      do throws(GatebookError) {
        _ = try await other.logIn(form, in: book, options: LoginOptions(account: account))
        return nil
      } catch {
        return error.code
      }
    }
    let browser = PageBrowser(other)
    page = try await browser.open()
    page = try await browser.submit(
      page, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(page.alert.contains("logged in another user than this account's."), "\(page.html)")
    #expect(try await book.accounts().count == 1)
    #expect(try await book.context(of: account).loginName.value == ben.emailAddress)
    _ = try await browser.submit(page, button: "cancel")
    #expect(await second.value == .challengeCancelled)
  }

  @Test func `a client's secret that the app does not have is a field`() async throws {
    let stage = try await PortalPage()
    let application = FakePortalApplication.confidential
    let login = stage.world.begin(
      try stage.form(
        .oauth2Password(clientID: application.clientID, clientSecret: nil)))
    var page = try await stage.browser.open()
    #expect(page.value("clientSecret") == "")
    let names = ["user": stage.ada.emailAddress, "password": stage.ada.password]
    page = try await stage.browser.submit(
      page, ["user": names["user"] ?? "", "password": names["password"] ?? ""])
    #expect(page.error("clientSecret") == "Fill in this field.")
    page = try await stage.browser.submit(
      page,
      [
        "user": names["user"] ?? "", "password": names["password"] ?? "",
        "clientSecret": application.secret ?? "",
      ])
    #expect(page.heading == "You are logged in", "\(page.html)")
    #expect(try await login.value.get().method == "liferay-oauth2-password")
    #expect(await !stage.browser.received.contains { $0.contains(application.secret ?? "-") })
  }

  @Test func `a disk without room ends the login for good`() async throws {
    let stage = try await PortalPage()
    let form = LoginForm(server: "<i>app</i>", fields: [.user()], offersSaving: false) {
      _, _, _ throws(GatebookError) in
      throw GatebookError(.storageFull, "The disk is <b>full</b>.", remedy: "Make room.")
    }
    let login = stage.world.begin(form)
    var page = try await stage.browser.open()
    #expect(page.server == "<i>app</i>")
    #expect(page.value("saveCredentials") == nil)
    page = try await stage.browser.submit(page, ["user": "ada"])
    #expect(page.heading == "The login failed")
    #expect(page.alert == "The disk is full, so the session could not be saved.")
    #expect(page.detail == "The disk is <b>full</b>.")
    #expect(!page.hasForm)
    #expect(await code(login) == .storageFull)
  }

  @Test func `a form of an app gets its answers, and its setting's mistake is at the field`()
    async throws
  {
    let stage = try await PortalPage()
    let fields = [
      LoginField("tenant", label: "<Mandant>", value: "preset"),
      LoginField("beta", .toggle, label: "Beta", value: "on", isRequired: false),
    ]
    let form = LoginForm(server: "app", fields: fields) {
      answers, _, options throws(GatebookError) in
      throw GatebookError(
        .serverRefused,
        "\(answers["tenant"]) \(answers.isOn("beta")) \(options.saveCredentials)", remedy: "Wait.")
    }
    let login = stage.world.begin(form)
    var page = try await stage.browser.open()
    #expect(page.html.contains("&lt;Mandant&gt;"))
    #expect(page.value("tenant") == "preset")
    #expect(page.isOn("beta"))
    page = try await stage.browser.submit(page, ["tenant": "a&b", "saveCredentials": "on"])
    #expect(page.detail == "a&b false true")
    #expect(page.alert == "app refused the login.")
    #expect(!page.isOn("beta"))
    login.cancel()
    #expect(await code(login) == .cancelled)
  }

  @Test func `close waits until the browser has the last screen`() async throws {
    // Only waits below a second pass at once.
    let stage = try await PortalPage(clock: PageClock(brief: .seconds(1)))
    stage.portal.inject(.hold)
    let login = stage.world.begin(try stage.form())
    let form = try await stage.browser.open()
    try await stage.browser.post(
      form, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    stage.portal.release()
    #expect(try await login.value.get().state == .active)
    let page = stage.world.page
    async let closed: Void = page.close()
    try await wait(for: "close that waits") { stage.world.clock.sleeping > 0 }
    #expect(try await stage.browser.reload().heading == "You are logged in")
    await closed
    let port = stage.browser.port
    try await wait(for: "refused connection") { PageConnection.isRefused(port: port) }
  }

  @Test func `close waits for no browser that has gone`() async throws {
    let stage = try await PortalPage(clock: PageClock(brief: .seconds(1)))
    let login = stage.world.begin(try stage.form())
    let form = try await stage.browser.open()
    try await stage.browser.post(
      form, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(try await login.value.get().state == .active)
    let page = stage.world.page
    async let closed: Void = page.close()
    try await wait(for: "close that waits") { stage.world.clock.sleeping > 0 }
    stage.world.clock.advance(by: .seconds(3))
    await closed
    // Nor for one that never came.
    let other = try LoginPage(clock: stage.world.clock)
    await other.close()
  }
}
