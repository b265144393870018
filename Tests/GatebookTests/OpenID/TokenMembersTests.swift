import Gatebook
import GatebookFakes
import Testing

/// `tokenMembers(of:)`: members of token answers that no standard knows (RFC 6749 section 5.1).
@Suite struct TokenMembersTests {
  @Test func `they are valid as long as the session, and nobody else sees them`() async throws {
    let party = try await RelyingParty {
      $0.changes[.grant] = ["patient": #""pt-8812-smith""#, "need": #"{"banner":true}"#]
    }
    let ada = try await party.logIn().get()
    let members = try await party.book.tokenMembers(of: ada.account)
    #expect(members.names == ["need", "patient"])
    #expect(members["patient"] == "pt-8812-smith")
    #expect(members["need"] == #"{"banner":true}"#)
    party.server.settings.changes[.grant] = ["need": "false", "tenant": "7"]
    #expect(try await party.book.renewNow(ada.account))
    let later = try await party.world.open(party.line)
    let renewed = try await later.tokenMembers(of: ada.account)
    #expect(renewed.facts == ["need": false, "patient": "pt-8812-smith", "tenant": 7])
    for name in ["", "-wal"] {
      #expect(!TestFile.read(party.world.path + name).holds("pt-8812-smith"))
    }
    for event in try await later.events(after: .start, limit: 100) {
      #expect(!"\(event)".contains("pt-8812-smith"))
    }
    try await later.logOut(ada.account)
    await expect(.sessionRefused) { () throws(GatebookError) in
      _ = try await later.tokenMembers(of: ada.account)
    }
  }

  @Test func `a bound token has them too, a password has none`() async throws {
    let party = try await RelyingParty {
      $0.bindsTokens = true
      $0.changes[.grant] = ["patient": #""pt-8812""#]
    }
    var application = RelyingParty.application()
    application.bindsTokens = true
    let ada = try await party.logIn(application).get()
    #expect(try await party.book.tokenMembers(of: ada.account)["patient"] == "pt-8812")
    let world = try await PortalWorld()
    let ben = try await world.logIn(.email)
    #expect(try await world.book.tokenMembers(of: ben.account).isEmpty)
  }
}
