import Gatebook
import GatebookFakes
import Testing

/// Servers that want another nonce in each proof of the account's key (RFC 9449 section 8.2).
@Suite struct ProofNonceTests {
  private let party: RelyingParty
  private let notes: HTTPRequest

  init() async throws {
    party = try await RelyingParty {
      $0.bindsTokens = true
      $0.proofNonce = "first"
      $0.rotatesProofNonces = true
    }
    notes = .get(try #require(HTTPURL("\(party.server.url)/notes")))
  }

  private static var application: OAuth2Application {
    var application = RelyingParty.application()
    application.bindsTokens = true
    return application
  }

  @Test func `the nonce of an answer that refuses nothing is used for the next request`()
    async throws
  {
    let ada = try await party.logIn(Self.application).get()
    let kinds = try party.world.kinds().count
    for count in 1...3 {
      #expect(try await party.book.send(notes).status == 200)
      #expect(party.count("/notes") == count, "a request was sent twice")
    }
    // Also by a process that starts now.
    let later = try await party.world.open(party.line)
    #expect(try await later.send(notes).status == 200)
    #expect(party.count("/notes") == 4)
    #expect(try party.world.kinds().count == kinds, "the log tells of no nonce")
    let book = TestFile.read(party.world.path + "-wal")
    #expect(!book.holdsPlainly(try #require(party.server.settings.proofNonce)))
    #expect(try await party.book.renewNow(ada.account))
  }

  @Test func `a bound token is named for what it is where it is asked for`() async throws {
    _ = try await party.logIn(Self.application).get()
    let error = await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await party.book.token()
    }
    #expect(error?.message.contains("bound to a key") == true, "\(String(describing: error))")
    #expect(error?.message.contains("DPoP") == true)
    #expect(error?.kept == "The session is kept.")
    #expect(error?.setting == "bindsTokens")
  }
}
