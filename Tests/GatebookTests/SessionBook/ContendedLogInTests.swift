import GatebookTestSupport
import Testing

@testable import Gatebook

/// Logins whose account others change, or that find what they cannot read.
@Suite struct ContendedLogInTests {
  private let server = FormServer()
  private let world: TestBook
  private let book: SessionBook

  init() async throws {
    world = try TestBook()
    book = try await world.open(server.transport)
  }

  private func logIn(isSilent: Bool, _ account: AccountID) async throws -> SessionContext {
    isSilent ? try await book.logInAgain(account) : try await book.logIn(server.login())
  }

  @Test(arguments: [false, true])
  func `a login that cannot read what the account keeps ends in the log`(
    isSilent: Bool
  ) async throws {
    var options = LoginOptions()
    options.saveCredentials = true
    let account = try await book.logIn(server.login(), options: options).account
    var append = Append([])
    append.vault = [
      .set(account, purpose: Purpose.challenges, generation: 1, content: Array("?".utf8))
    ]
    try await book.commit(append)
    let before = try world.kinds().count
    let error = await #expect(throws: GatebookError.self) {
      try await logIn(isSilent: isSilent, account)
    }
    #expect(error?.code == .storageDamaged)
    #expect(
      try world.kinds().dropFirst(before)
        == (isSilent
          ? ["login.started", "credentials.loaded", "login.failed"]
          : ["login.started", "login.failed"]))
    #expect(try await book.context(of: account).state == .active)
  }
}
