import Gatebook
import GatebookTestSupport
import Testing

/// A server that ends a session by deleting its cookie.
@Suite struct DeletedCookieTests {
  @Test func `a cookie that the server deleted is not sent again`() async throws {
    let (world, server) = (try TestBook(), FormServer())
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.login(mayLogInAgain: false)).account
    _ = try? await book.send(.get(server.url("/logout")))
    let sent = server.transport.requests.drop { $0.url.path != "/logout" }.dropFirst()
    #expect(!sent.contains { $0.fields.first("Cookie")?.contains("sid=") == true })
    #expect(try await book.context(of: ada).state == .needsLogin(.refused))
  }
}
