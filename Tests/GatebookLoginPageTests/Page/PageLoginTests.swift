import Gatebook
import GatebookFakes
import GatebookLoginPage
import GatebookSystem
import Testing

/// A login on the page, over real connections.
@Suite(.timeLimit(.minutes(2)))
struct PageLoginTests {
  @Test(arguments: LoginTheme.all)
  func `a person logs in`(_ theme: LoginTheme) async throws {
    let stage = try await PortalPage(theme: theme)
    let login = stage.world.begin(try stage.form(user: stage.ada.emailAddress))
    let answer = try await stage.browser.get(
      "\(stage.browser.path)?\(stage.world.page.address.query ?? "")")
    await stage.browser.keep(answer)
    #expect(answer.body.contains(stage.world.page.code))
    #expect(answer.body.contains("value=\"\(stage.ada.emailAddress)\""))
    let screen = try #require(
      Pattern("name=\"screen\" value=\"([0-9]+)\"").match(in: answer.body)?[1])
    try await stage.browser.post(
      "screen=\(screen)&button=submit&user=ada%40portal.example.test&"
        + "password=p%26ss%3Dw%2Brd%3A+100%25%C3%A4")
    let done = try await stage.browser.reload().html
    #expect(done.contains("You are logged in"))
    #expect(done.contains(stage.ada.emailAddress))
    #expect(!done.contains("<form"))
    #expect(try await login.value.get().loginName.value == stage.ada.emailAddress)
  }

  @Test func `each identity of a portal logs in`() async throws {
    let ada = FakePortalUser.ada
    let names: [(LiferayIdentity, String)] = [
      (.email, ada.emailAddress), (.screenName, ada.screenName), (.userID, "\(ada.userID)"),
    ]
    for (identity, name) in names {
      for mode in [LiferayPageMode.basic, .cookie()] {
        let stage = try await PortalPage()
        let login = stage.world.begin(try stage.form(mode, by: identity))
        let form = try await stage.browser.open()
        let done = try await stage.browser.submit(
          form, ["user": " \(name) ", "password": ada.password])
        #expect(done.heading == "You are logged in", "\(identity): \(done.html)")
        #expect(done.facts["User name"] == name)
        #expect(try await login.value.get().state == .active)
      }
    }
  }

  @Test func `a wrong password keeps the rest, and is never shown again`() async throws {
    let stage = try await PortalPage()
    let login = stage.world.begin(try stage.form())
    let form = try await stage.browser.open()
    #expect(form.focused == "user")
    #expect(form.value("user") == "")
    let wrong = try await stage.browser.submit(
      form,
      ["user": stage.ada.emailAddress, "password": "wrong-1234", "saveCredentials": "on"])
    #expect(
      wrong.error("password") == "The server did not accept this user name and password.")
    #expect(wrong.value("user") == stage.ada.emailAddress)
    #expect(wrong.value("password") == "")
    #expect(wrong.isOn("saveCredentials"))
    #expect(wrong.focused == "password")
    #expect(wrong.alert.isEmpty)
    let done = try await stage.browser.submit(
      wrong, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(done.heading == "You are logged in")
    let context = try await login.value.get()
    // The switch was off the last time.
    #expect(try await !stage.world.book.hasSavedLogin(context.account))
    #expect(await stage.world.news.heard == ["opened", "failed credentials.refused"])
    #expect(await stage.world.delegate.heard == ["error credentials.refused", "response"])
  }

  @Test func `a mistake is shown before anything is sent`() async throws {
    let stage = try await PortalPage()
    let login = stage.world.begin(try stage.form(by: .userID))
    var page = try await stage.browser.open()
    page = try await stage.browser.submit(page, ["user": "ada", "password": ""])
    #expect(page.error("user") == "Enter a number.")
    #expect(page.error("password") == "Fill in this field.")
    #expect(page.value("user") == "ada")
    #expect(page.focused == "user")
    #expect(stage.portal.requests.isEmpty)
    #expect(try await stage.world.events("login.started").isEmpty)
    page = try await stage.browser.submit(page, button: "cancel")
    #expect(await code(login) == .challengeCancelled)
  }

  @Test func `the delegate hears of a login, then of its saved credentials`() async throws {
    let stage = try await PortalPage()
    let login = stage.world.begin(
      try stage.form(), options: LoginOptions(saveCredentials: true))
    let form = try await stage.browser.open()
    #expect(form.isOn("saveCredentials"))
    var page = try await stage.browser.submit(form, ["user": "x", "password": "wrong-1"])
    page = try await stage.browser.submit(page, ["user": "x", "password": "wrong-2"])
    page = try await stage.browser.submit(
      page,
      ["user": stage.ada.emailAddress, "password": stage.ada.password, "saveCredentials": "on"])
    #expect(page.heading == "You are logged in")
    let context = try await login.value.get()
    #expect(try await stage.world.book.hasSavedLogin(context.account))
    #expect(
      await stage.world.delegate.heard == [
        "error credentials.refused", "error credentials.refused", "response", "saved",
      ])
  }

  @Test func `a password is nowhere in the book or on the page`() async throws {
    let stage = try await PortalPage()
    let login = stage.world.begin(
      try stage.form(), options: LoginOptions(saveCredentials: true))
    let form = try await stage.browser.open()
    let wrong = try await stage.browser.submit(
      form, ["user": stage.ada.emailAddress, "password": "wrong-password-1"])
    let done = try await stage.browser.submit(
      wrong,
      ["user": stage.ada.emailAddress, "password": stage.ada.password, "saveCredentials": "on"])
    #expect(done.heading == "You are logged in")
    _ = try await login.value.get()
    await stage.world.page.close()
    for word in ["wrong-password-1", stage.ada.password] {
      #expect(!stage.world.holds(word))
      #expect(await !stage.browser.received.contains { $0.contains(word) })
    }
    // What is searched would be found.
    #expect(stage.world.holds("login.succeeded") || stage.world.holds("liferay-basic"))
  }

  @Test func `a portal that is down is an alert above the form`() async throws {
    let stage = try await PortalPage()
    stage.portal.stop()
    let login = stage.world.begin(try stage.form())
    let form = try await stage.browser.open()
    let failed = try await stage.browser.submit(
      form, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(
      failed.alert == "\(stage.portal.url) could not be reached. Check the address and the network."
    )
    #expect(!failed.detail.isEmpty)
    #expect(failed.value("user") == stage.ada.emailAddress)
    try stage.portal.start()
    let done = try await stage.browser.submit(
      failed, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(done.heading == "You are logged in")
    #expect(try await login.value.get().state == .active)
  }

  @Test func `the page speaks the browser's language`() async throws {
    let stage = try await PortalPage()
    let login = stage.world.begin(try stage.form())
    await stage.browser.send(along: "Accept-Language: de-AT, en;q=0.5")
    let form = try await stage.browser.open()
    #expect(form.heading == "Anmelden")
    #expect(form.html.contains("<html lang=\"de\" dir=\"ltr\">"))
    let end = try await stage.browser.submit(form, button: "cancel")
    #expect(end.heading == "Die Anmeldung wurde abgebrochen")
    #expect(await code(login) == .challengeCancelled)
  }

  private func code(_ login: BegunLogin) async -> FailureCode? {
    if case .failure(let error) = await login.value { error.code } else { nil }
  }
}
