import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct LogOutTests {
  @Test func `a logout is local at once, and destroys the secrets with its event`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic())
    server.set(.down)
    let out = try await book.logOut(ada.account)
    #expect(out.state == .ended(.user))
    let error = await #expect(throws: GatebookError.self) { try await book.restore(ada.account) }
    #expect(error?.code == .sessionRefused)
    #expect(try world.kinds().suffix(2) == ["logout.requested", "logout.completed"])
    let count = try world.kinds().count
    _ = try await book.logOut(ada.account)
    #expect(try world.kinds().count == count)
  }

  @Test func `logging the current account out makes the last used other one current`() async throws
  {
    let world = try TestBook()
    let transport = ScriptedTransport { request, _ throws(TransportFailure) in
      request.fields.first("Authorization") == nil
        ? HTTPReply(status: 401, fields: [HTTPField("WWW-Authenticate", "Basic realm=\"x\"")])
        : HTTPReply(status: 200)
    }
    let book = try await world.open(transport)
    let ada = try await book.logIn(.basic(user: "ada"))
    let bob = try await book.logIn(.basic(user: "bob"))
    let eve = try await book.logIn(.basic(user: "eve"))
    _ = try await book.switchAccount(to: ada.account)
    _ = try await book.switchAccount(to: eve.account)
    _ = try await book.logOut(eve.account)
    #expect(try await book.currentContext()?.account == ada.account)
    _ = try await book.logOut(ada.account)
    #expect(try await book.currentContext()?.account == bob.account)
    _ = try await book.logOut(bob.account)
    #expect(try await book.currentContext()?.account == bob.account)
  }

  @Test func `saved credentials survive a logout until they are forgotten`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await book.logIn(.basic(), options: options)
    _ = try await book.logOut(ada.account)
    #expect(try !world.kinds().contains("credentials.removed"))
    _ = try await book.logOut(ada.account, forgettingCredentials: true)
    #expect(try world.kinds().last == "credentials.removed")
  }

  @Test
  func `forgetting nothing is no event, and the switch to another account follows the logout`()
    async throws
  {
    let world = try TestBook()
    let transport = ScriptedTransport { request, _ throws(TransportFailure) in
      request.fields.first("Authorization") == nil
        ? HTTPReply(status: 401, fields: [HTTPField("WWW-Authenticate", "Basic realm=\"x\"")])
        : HTTPReply(status: 200)
    }
    let book = try await world.open(transport)
    let ada = try await book.logIn(.basic(user: "ada"))
    _ = try await book.logIn(.basic(user: "bob"))
    let ended = try await book.logOut(ada.account)
    _ = try await book.switchAccount(to: ada.account)
    let count = try world.kinds().count
    _ = try await book.logOut(ada.account, forgettingCredentials: true)
    let events = try await book.events(after: Position(rawValue: Int64(count)))
    #expect(events.map(\.kind) == ["account.switched"])
    #expect(events.first?.cause == ended.position)
  }

  @Test func `labels are unique, printable and never all digits`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic())
    for label in ["", "1234", "a\u{7}b", String(repeating: "x", count: 65)] {
      let error = await #expect(throws: GatebookError.self) {
        try await book.rename(ada.account, to: label)
      }
      #expect(error?.code == .configurationInvalid)
    }
    #expect(try await book.rename(ada.account, to: "work").label == .known("work"))
  }
}
