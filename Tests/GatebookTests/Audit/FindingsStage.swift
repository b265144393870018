import GatebookFakes
import Testing

@testable import Gatebook

/// A book and an account that lives by refresh tokens.
struct FindingsStage {
  let world: TestBook
  let server: TokenServer
  let book: SessionBook
  let account: AccountID

  init(lifetime: Duration = .seconds(600)) async throws {
    world = try TestBook()
    server = TokenServer(world.clock)
    server.settings.lifetime = lifetime
    book = try await world.open(server.transport)
    account = try await book.logIn(server.method()).account
  }

  func use() async { _ = try? await book.send(server.page(), as: account) }

  func findings(_ rule: FindingRule) async throws -> [Finding] {
    try await book.findings().filter { $0.rule == rule }
  }

  /// What a finding says, with the letter T for each time.
  static func words(_ finding: Finding?) -> String? { finding?.title.text { _ in "T" } }
}
