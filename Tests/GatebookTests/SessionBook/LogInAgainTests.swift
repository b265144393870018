import Gatebook
import GatebookFakes
import Testing

@Suite struct LogInAgainTests {
  private func saving() -> LoginOptions {
    var options = LoginOptions()
    options.saveCredentials = true
    return options
  }

  @Test func `saved credentials log in again after a logout, and nobody is asked`() async throws {
    let world = try await PortalWorld()
    let methods: [LoginMethod] = [try world.basic(), try world.cookie(.ben)]
    for method in methods {
      let first = try await world.book.logIn(method, options: saving())
      try await world.book.logOut(first.account)
      let again = try await world.book.logInAgain(first.account)
      #expect(again.account == first.account)
      #expect(again.state == .active)
      #expect(again.user == first.user)
      #expect(again.session != first.session)
      let events = try await world.book.events(after: .start).filter { $0.session == again.session }
      #expect(
        events.prefix(2).map(\.kind) == ["login.started", "credentials.loaded"])
      #expect(events.first?.data["interactive"]?.bool == false)
    }
  }

  @Test func `a login by HTTP authentication again`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic(), options: saving())
    try await book.logOut(ada.account)
    #expect(try await book.logInAgain(ada.account).state == .active)
    server.change(password: "changed")
    try await book.logOut(ada.account)
    let error = await #expect(throws: GatebookError.self) {
      try await book.logInAgain(ada.account)
    }
    #expect(error?.code == .sessionRefused)
    #expect(error?.message.hasPrefix("The server rejected the saved credentials") == true)
    guard case .ended = try await book.context(of: ada.account).state else {
      Issue.record("the logout was undone")
      return
    }
    server.change(password: "lovelace")
    #expect(try await book.logInAgain(ada.account).state == .active)
  }

  @Test func `without the person's permission there is nothing to log in with`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.basic())
    try await world.book.logOut(ada.account)
    let sent = world.portal.requests.count
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.logInAgain(ada.account)
    }
    #expect(error?.code == .sessionRefused)
    #expect(world.portal.requests.count == sent)
  }

  @Test(arguments: [PortalMode.cookie, .email])
  func `a server that takes the name for another user's gets no account of its own`(
    mode: PortalMode
  ) async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(mode, .ada, options: saving())
    try await world.book.logOut(ada.account)
    world.portal.users[0].userID += 1000
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.logInAgain(ada.account)
    }
    #expect(error?.code == .identityMismatch)
    #expect(try await world.book.accounts().map(\.account) == [ada.account])
    guard case .ended = try await world.book.context(of: ada.account).state else {
      Issue.record("the logout was undone")
      return
    }
  }

  @Test func `attributes are read again`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.book.logIn(world.cookie())
    let before = ada.user["jobTitle"]
    world.portal.users[0].jobTitle = "Countess"
    let after = try await world.book.refreshAttributes(of: ada.account)
    #expect(after.user["jobTitle"] == "Countess")
    #expect(before != "Countess")
  }
}
