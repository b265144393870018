import Gatebook
import GatebookFakes
import Testing

/// Rule 5: what is set aside before a refresh token is sent takes whatever its answer makes of the
/// session.
@Suite struct ReserveTests {
  @Test(arguments: [false, true])
  func `the reserve has room for the largest session, saved or not`(_ isSaved: Bool) async throws {
    let keys = String(repeating: "k", count: 60_000)
    let claim = String(repeating: "c", count: 40_000)
    let party = try await RelyingParty {
      $0.changes[.key] = ["x5u": "\"\(keys)\""]
      $0.changes[.claims] = ["story": "\"\(claim)\""]
    }
    var options = LoginOptions()
    options.saveCredentials = isSaved
    let ada = try await party.logIn(options: options).get()
    let path = party.world.path
    let sizes = TestBox((reserve: 0, log: 0))
    party.line.edit.value = { place, _ in
      guard place == "/token" else { return }
      sizes.value = (
        TestFile.read(path + "-reserve").bytes.count, TestFile.read(path + "-wal").bytes.count
      )
    }
    #expect(try await party.book.renewNow(ada.account))
    let written = TestFile.read(path + "-wal").bytes.count - sizes.value.log
    #expect(written > 128 << 10, "the session is as large as meant")
    #expect(sizes.value.reserve >= written)
  }
}
