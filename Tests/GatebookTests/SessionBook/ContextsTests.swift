import Gatebook
import GatebookFakes
import Testing

@Suite struct ContextsTests {
  @Test func `contexts start with the present and see other writers`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic())
    let other = try await world.open(server.transport)
    var seen: [String] = []
    for await context in book.contexts(of: ada.account) {
      seen.append(context.state.name)
      if seen.count == 1 { _ = try await other.restore(ada.account) }
      if seen.count == 2 { _ = try await other.logOut(ada.account) }
      if context.state.name == "ended" { break }
    }
    #expect(seen == ["active", "offline", "ended"])
  }

  @Test func `the past can be asked by position`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic())
    let end = try await book.events(after: .start).last?.position ?? .start
    _ = try await book.logOut(ada.account)
    #expect(try await book.context(of: ada.account, asOf: end)?.state == .active)
    #expect(try await book.context(of: ada.account, asOf: end)?.isCurrent == true)
    #expect(try await book.context(of: ada.account, asOf: .start) == nil)
  }
}
