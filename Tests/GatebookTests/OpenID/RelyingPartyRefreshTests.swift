import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// ID tokens of refreshes (OpenID Connect Core 1.0 section 12.2): what another user's does, and
/// that no other one costs the session.
@Suite struct RelyingPartyRefreshTests {
  private struct Row: Sendable {
    let name: String
    /// What the first login's ID token says besides.
    var first: [String: String?] = [:]
    /// Whose the tokens are then: a renewal for somebody else is refused.
    var isAnothers = false
    /// What the log says of the ID token; `nil` for nothing.
    var told: String?
    let change: RelyingPartyRow.Change
  }

  private static func claims(
    _ name: String, _ changes: [String: String?], first: [String: String?] = [:],
    isAnothers: Bool = false, told: String? = nil
  ) -> Row {
    Row(name: name, first: first, isAnothers: isAnothers, told: told) {
      $0.changes[.claims] = changes
    }
  }

  private static let rows = [
    claims("as it was", [:]),
    Row(name: "no ID token") { $0.changes[.grant] = ["id_token": nil] },
    Row(name: "an ID token that is null") { $0.changes[.grant] = ["id_token": "null"] },
    claims("sub changed", ["sub": #""another""#], isAnothers: true),
    claims("iss changed", ["iss": #""https://other.example""#], isAnothers: true),
    claims("sub missing", ["sub": nil], told: "sub-missing"),
    claims("iss missing", ["iss": nil], told: "iss-missing"),
    claims("aud changed", ["aud": #""other""#], told: "aud"),
    claims("aud missing", ["aud": nil], told: "aud"),
    claims("azp new", ["azp": #""app""#], told: "azp-changed"),
    claims("auth_time as it was", ["auth_time": "5"], first: ["auth_time": "5"]),
    claims(
      "auth_time changed", ["auth_time": "6"], first: ["auth_time": "5"],
      told: "auth_time-changed"),
    claims("iat before the first", ["iat": "1767000000"], told: "iat-before-the-first"),
    claims("exp past", ["exp": "1767000000"], told: "exp"),
    claims("nonce changed", ["nonce": #""another""#], told: "nonce-changed"),
    claims("at_hash wrong", ["at_hash": #""AAAA""#], told: "at_hash"),
    Row(name: "signature wrong, sub changed", told: "signature") {
      $0.signature = .spoilt
      $0.changes[.claims] = ["sub": #""another""#]
    },
    Row(name: "alg none, sub changed", told: "alg.none") {
      $0.signature = .missing
      $0.changes[.header] = ["alg": #""none""#]
      $0.changes[.claims] = ["sub": #""another""#]
    },
    Row(name: "a new key") { $0.keyID = "fake-2" },
    Row(name: "a new key, sub changed", isAnothers: true) {
      $0.keyID = "fake-2"
      $0.changes[.claims] = ["sub": #""another""#]
    },
    Row(name: "a new key, iss changed", isAnothers: true) {
      $0.keyID = "fake-2"
      $0.changes[.claims] = ["iss": #""https://other.example""#]
    },
    Row(name: "a new key that is never there", told: "kid") {
      $0.keyID = "fake-2"
      $0.staleKeyAnswers = .max
    },
    Row(name: "refresh_token absent") { $0.changes[.grant] = ["refresh_token": nil] },
  ]

  @Test(arguments: rows.indices)
  func `only another user's ID token ends a session`(_ index: Int) async throws {
    let row = Self.rows[index]
    let party = try await RelyingParty { $0.changes[.claims] = row.first }
    let ada = try await party.logIn().get()
    party.server.settings.changes = [:]
    row.change(&party.server.settings)
    let pages = party.count("/me")
    let notes = HTTPRequest.get(try #require(HTTPURL("\(party.server.url)/notes")))
    guard !row.isAnothers else {
      let error = await expect(.identityMismatch) { () throws(GatebookError) in
        _ = try await party.book.renewNow(ada.account)
      }
      if row.name.hasSuffix("iss changed") {
        let message = try #require(error?.message)
        #expect(message.contains("https://other.example"), "\(row.name)")
        #expect(message.contains(party.server.issuer), "\(row.name)")
      }
      #expect(
        try await party.book.context(of: ada.account).state == .needsLogin(.identityMismatch))
      await expect(.sessionRefused) { () throws(GatebookError) in
        _ = try await party.book.send(notes)
      }
      // Nothing was asked with those tokens, neither the page about the person nor anything else.
      #expect(party.count("/me") == pages && party.count("/notes") == 0)
      return
    }
    #expect(try await party.book.renewNow(ada.account), "\(row.name)")
    let after = try await party.book.context(of: ada.account)
    #expect(after.state == .active, "\(row.name)")
    #expect(after.session == ada.session && after.user == ada.user, "\(row.name)")
    let events = try await party.book.events(after: .start, limit: 100)
    #expect(events.compactMap { $0.data["idToken"]?.text } == [row.told].compactMap(\.self))
    #expect(try await party.book.send(notes).status == 200, "\(row.name)")
    #expect(party.server.requests.last?.fields["Authorization"] == "Bearer access-3")
  }

  @Test(arguments: [
    ([:], true), (["aud": #""other""#], false), (["exp": "1767000000"], false),
    (["nonce": #""another""#], false),
  ])
  func `of a provider with nothing else, an ID token proves a session if it holds`(
    _ claims: [String: String], _ holds: Bool
  ) async throws {
    let party = try await RelyingParty { $0.changes[.metadata] = ["userinfo_endpoint": nil] }
    let ada = try await party.logIn().get()
    // A new key: the token is checked once those are there.
    party.server.settings.keyID = "fake-2"
    party.server.settings.changes[.claims] = claims.mapValues { $0 }
    #expect(try await party.book.renewNow(ada.account))
    #expect(party.count("/keys") == 2)
    #expect(
      try party.world.kinds().last == (holds ? "session.verified" : "refresh.succeeded"))
    #expect(try await party.book.context(of: ada.account).state == .active)
  }

  @Test(arguments: ["send", "token", "sync"])
  func `another user's ID token is found out once its key may be had`(_ use: String) async throws {
    let party = try await RelyingParty()
    let ada = try await party.logIn().get()
    party.server.settings.keyID = "fake-2"
    party.server.settings.changes[.claims] = ["sub": #""another""#]
    party.line.edit.value = { path, reply in
      if path == "/keys" || path == "/me" { reply = HTTPReply(status: 503) }
    }
    let notes = HTTPRequest.get(try #require(HTTPURL("\(party.server.url)/notes")))
    #expect(try await party.book.renewNow(ada.account))
    // While its keys are not to be had the session serves, and nobody asks for them each time.
    let asked = party.count("/keys")
    #expect(try await party.book.send(notes).status == 200)
    #expect(party.count("/keys") == asked)
    party.world.clock.advance(by: .seconds(31))
    #expect(try await party.book.send(notes).status == 200)
    #expect(party.count("/keys") == asked + 1)
    #expect(try await party.book.context(of: ada.account).state == .active)
    party.line.edit.value = { _, _ in }
    party.world.clock.advance(by: .seconds(31))
    switch use {
    case "sync":
      #expect(try await party.book.sync().failures.map(\.error.code) == [.identityMismatch])
    case "token":
      await expect(.identityMismatch) { () throws(GatebookError) in
        _ = try await party.book.token()
      }
    default:
      await expect(.identityMismatch) { () throws(GatebookError) in
        _ = try await party.book.send(notes)
      }
    }
    #expect(
      try await party.book.context(of: ada.account).state == .needsLogin(.identityMismatch))
  }

  @Test func `the user's own is, too, and changes nothing`() async throws {
    let party = try await RelyingParty()
    let ada = try await party.logIn().get()
    party.server.settings.keyID = "fake-2"
    party.line.edit.value = { path, reply in if path == "/keys" { reply = HTTPReply(status: 503) } }
    #expect(try await party.book.renewNow(ada.account))
    party.line.edit.value = { _, _ in }
    party.world.clock.advance(by: .seconds(31))
    #expect(try await party.book.sync().verified == [ada.account])
    let asked = party.count("/keys")
    #expect(try await party.book.sync().verified.isEmpty)
    #expect(party.count("/keys") == asked)
    #expect(try await party.book.context(of: ada.account).state == .active)
  }
}
