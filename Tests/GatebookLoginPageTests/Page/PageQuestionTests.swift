import Gatebook
import GatebookFakes
import GatebookLoginPage
import Testing

/// Questions of a server in the middle of a login.
@Suite(.timeLimit(.minutes(2)))
struct PageQuestionTests {
  private static let gate = "front door word"

  private func gated(_ realm: String = "The gate") async throws -> PortalPage {
    let stage = try await PortalPage()
    stage.portal.switches.front = FakePortalFront(
      realm: realm, name: "gate", password: Self.gate, schemes: [.sha256])
    return stage
  }

  @Test func `a server in front asks for its own password, until it is right`() async throws {
    let stage = try await gated()
    let login = stage.world.begin(try stage.form(.cookie()))
    let form = try await stage.browser.open()
    var page = try await stage.browser.submit(
      form, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(page.heading == "The server asks for a password", "\(page.html)")
    #expect(page.html.contains("\(stage.portal.url) calls this area “The gate”."))
    #expect(page.value("user") == "")
    #expect(page.isOn("keeps"))
    page = try await stage.browser.submit(page, ["user": "gate", "password": ""])
    #expect(page.error("password") == "Fill in this field.")
    #expect(page.value("user") == "gate")
    #expect(!page.isOn("keeps"))
    page = try await stage.browser.submit(page, ["user": "gate", "password": "wrong door word"])
    #expect(page.heading == "The server asks for a password")
    #expect(page.error("password") == "The server did not accept this user name and password.")
    page = try await stage.browser.submit(
      page, ["user": "gate", "password": Self.gate, "keeps": "on"])
    #expect(page.heading == "You are logged in", "\(page.html)")
    #expect(try await login.value.get().state == .active)
    for word in [Self.gate, "wrong door word"] {
      #expect(await !stage.browser.received.contains { $0.contains(word) })
      #expect(!stage.world.holds(word))
    }
  }

  @Test func `who cancels the question is back at the form`() async throws {
    let stage = try await gated()
    let login = stage.world.begin(try stage.form(.cookie()))
    let form = try await stage.browser.open()
    let question = try await stage.browser.submit(
      form, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(question.heading == "The server asks for a password")
    let back = try await stage.browser.submit(question, button: "cancel")
    #expect(back.heading == "Log in")
    #expect(back.value("user") == stage.ada.emailAddress)
    #expect(try await stage.world.events("login.succeeded").isEmpty)
    _ = try await stage.browser.submit(back, button: "cancel")
    _ = await login.value
  }

  @Test func `a realm is shown as text`() async throws {
    let stage = try await gated("<b>area</b>")
    let login = stage.world.begin(try stage.form(.cookie()))
    let form = try await stage.browser.open()
    let question = try await stage.browser.submit(form, ["user": "x", "password": "x"])
    #expect(question.html.contains("calls this area “&lt;b&gt;area&lt;/b&gt;”."))
    login.cancel()
    _ = await login.value
  }

  @Test func `a question that nobody answers ends the login in time`() async throws {
    let stage = try await gated()
    let login = stage.world.begin(try stage.form(.cookie()))
    let form = try await stage.browser.open()
    let question = try await stage.browser.submit(
      form, ["user": stage.ada.emailAddress, "password": stage.ada.password])
    #expect(question.hasForm)
    stage.world.clock.advance(by: .seconds(601))
    let end = await login.value
    guard case .failure(let error) = end else {
      Issue.record("The login succeeded.")
      return
    }
    #expect(error.code == .challengeTimedOut)
    #expect(try await stage.browser.reload().heading == "This page has expired")
    #expect(try await stage.world.book.accounts().isEmpty)
  }
}
