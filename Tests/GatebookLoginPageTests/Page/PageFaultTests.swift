import Gatebook
import GatebookFakes
import GatebookLoginPage
import GatebookSystem
import Testing

/// What people and time do to a page.
@Suite(.timeLimit(.minutes(2)))
struct PageFaultTests {
  private static let notice = "This form was sent before. This is where the login is now."

  private func code(_ login: BegunLogin) async -> FailureCode? {
    if case .failure(let error) = await login.value { error.code } else { nil }
  }

  @Test func `two submissions at once make one login`() async throws {
    let stage = try await PortalPage()
    stage.portal.inject(.hold)
    let login = stage.world.begin(try stage.form())
    let form = try await stage.browser.open()
    async let first = stage.browser.post(
      form, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    async let second = stage.browser.post(
      form, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(try await [first.status, second.status] == [303, 303])
    _ = await stage.portal.requests(atLeast: 1)
    let working = try await stage.browser.get()
    #expect(working.page.heading == "Logging in")
    #expect(working.page.notice == Self.notice)
    #expect(working.isBusy)
    #expect(working.field("Refresh") == nil)
    // It says so once.
    #expect(try await stage.browser.get().page.notice.isEmpty)
    stage.portal.release()
    #expect(try await stage.browser.reload().heading == "You are logged in")
    #expect(try await login.value.get().state == .active)
    #expect(try await stage.world.events("login.started").count == 1)
    #expect(stage.portal.requests.count == 1)
  }

  @Test func `a reload shows the same screen, and sends nothing`() async throws {
    let stage = try await PortalPage()
    let login = stage.world.begin(try stage.form(user: "ada"))
    let form = try await stage.browser.open()
    for _ in 0..<3 {
      let again = try await stage.browser.reload()
      #expect(again.screen == form.screen)
      #expect(again.value("user") == "ada")
      #expect(again.notice.isEmpty)
    }
    _ = try await stage.browser.submit(form, button: "cancel")
    #expect(try await stage.browser.reload().heading == "The login was canceled")
    #expect(await code(login) == .challengeCancelled)
  }

  @Test func `the form of an earlier screen, as after Back, is not taken`() async throws {
    let stage = try await PortalPage()
    let login = stage.world.begin(try stage.form())
    let form = try await stage.browser.open()
    let wrong = try await stage.browser.submit(form, ["user": "x", "password": "wrong-1"])
    let count = stage.portal.requests.count
    let back = try await stage.browser.submit(form, ["user": "y", "password": "wrong-2"])
    #expect(back.notice == Self.notice)
    #expect(back.screen == wrong.screen)
    #expect(back.value("user") == "x")
    #expect(stage.portal.requests.count == count)
    let late = try await stage.browser.submit(form, button: "cancel")
    #expect(late.heading == "Log in")
    _ = try await stage.browser.submit(late, button: "cancel")
    #expect(await code(login) == .challengeCancelled)
  }

  @Test func `a form after the last screen changes nothing`() async throws {
    let stage = try await PortalPage()
    let login = stage.world.begin(try stage.form())
    let form = try await stage.browser.open()
    _ = try await stage.browser.submit(form, button: "cancel")
    #expect(await code(login) == .challengeCancelled)
    let after = try await stage.browser.submit(
      form, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(after.heading == "The login was canceled")
    #expect(stage.portal.requests.isEmpty)
    #expect(try await stage.world.events("login.started").isEmpty)
  }

  @Test func `several logins follow each other on one page, until it is closed`() async throws {
    let stage = try await PortalPage()
    let first = stage.world.begin(try stage.form())
    let form = try await stage.browser.open()
    let done = try await stage.browser.submit(
      form, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(done.heading == "You are logged in")
    _ = await first.value
    let second = stage.world.begin(try stage.form())
    var next = try await stage.browser.reload()
    while next.screen.isEmpty { next = try await stage.browser.reload() }
    #expect(next.heading == "Log in")
    await stage.world.page.close()
    #expect(await code(second) == .cancelled)
    #expect(await code(stage.world.begin(try stage.form())) == .cancelled)
  }

  @Test func `the person cancels while the server is slow, and logs in after that`() async throws {
    let stage = try await PortalPage()
    stage.portal.inject(.hold)
    let login = stage.world.begin(try stage.form())
    let form = try await stage.browser.open()
    try await stage.browser.post(
      form, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    _ = await stage.portal.requests(atLeast: 1)
    let working = try await stage.browser.working(after: form)
    #expect(working.buttons == ["cancel"])
    #expect(working.server.isEmpty)
    let again = try await stage.browser.submit(working, button: "cancel")
    #expect(again.heading == "Log in")
    #expect(again.value("user") == stage.ada.emailAddress)
    #expect(again.alert.isEmpty)
    #expect(try await stage.world.events("login.cancelled").count == 1)
    stage.portal.release()
    let done = try await stage.browser.submit(
      again, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(done.heading == "You are logged in")
    #expect(try await login.value.get().state == .active)
    #expect(try await stage.world.events("login.started").count == 2)
  }

  @Test func `a page that nobody answers expires`() async throws {
    let stage = try await PortalPage()
    let login = stage.world.begin(try stage.form())
    let form = try await stage.browser.get(
      "\(stage.browser.path)?\(stage.world.page.address.query ?? "")")
    await stage.browser.keep(form)
    // A page that was left open asks again after its time.
    #expect(form.field("Refresh") == "601;url=\(stage.browser.path)")
    try await wait(for: "somebody who waits") { stage.world.clock.sleeping > 0 }
    stage.world.clock.advance(by: .seconds(599))
    #expect(try await stage.browser.reload().heading == "Log in")
    stage.world.clock.advance(by: .seconds(2))
    #expect(await code(login) == .challengeTimedOut)
    #expect(try await stage.browser.reload().heading == "This page has expired")
    let late = try await stage.browser.submit(
      form.page, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(late.heading == "This page has expired")
    #expect(stage.portal.requests.isEmpty)
  }

  @Test func `a caller that gives up ends the page`() async throws {
    let stage = try await PortalPage()
    let login = stage.world.begin(try stage.form())
    _ = try await stage.browser.open()
    login.cancel()
    #expect(await code(login) == .cancelled)
    #expect(try await stage.browser.reload().heading == "The login was canceled")
  }

  @Test func `a caller that gives up while the server is slow ends the login`() async throws {
    let stage = try await PortalPage()
    stage.portal.inject(.hold)
    let login = stage.world.begin(try stage.form())
    let form = try await stage.browser.open()
    try await stage.browser.post(
      form, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    _ = await stage.portal.requests(atLeast: 1)
    login.cancel()
    #expect(await code(login) == .cancelled)
    stage.portal.release()
    #expect(try await stage.browser.reload().heading != "You are logged in")
    #expect(try await stage.world.events("login.succeeded").isEmpty)
    #expect(try await stage.world.book.accounts().isEmpty)
  }

  @Test func `a page that is closed refuses connections`() async throws {
    let stage = try await PortalPage()
    let login = stage.world.begin(try stage.form())
    let form = try await stage.browser.open()
    let end = try await stage.browser.submit(form, button: "cancel")
    #expect(end.heading == "The login was canceled")
    #expect(await code(login) == .challengeCancelled)
    await stage.world.page.close()
    await stage.world.page.close()
    let port = stage.browser.port
    try await wait(for: "refused connection") { PageConnection.isRefused(port: port) }
  }

  @Test func `a page that nobody uses any longer ends`() async throws {
    var page: LoginPage? = try LoginPage()
    let port = try #require(page?.address.origin.port)
    #expect(!PageConnection.isRefused(port: port))
    page = nil
    try await wait(for: "refused connection") { PageConnection.isRefused(port: port) }
  }
}
