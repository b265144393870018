import Gatebook
import GatebookFakes
import Testing

/// A server that wants a stronger login and does not say what it wants.
@Suite struct EmptyDemandTests {
  private static let strong = "insufficient_user_authentication"

  @Test(arguments: [
    (401, "Bearer error=\"\(strong)\"", "a stronger or a fresh login"),
    (
      401, "Bearer error=\"\(strong)\", acr_values=\"\", max_age=\"\", scope=\" \"",
      "a stronger or a fresh login"
    ),
    (403, "Bearer error=\"insufficient_scope\"", "more permissions than the session has"),
  ])
  func `it is kept as it is, and no page is opened for it`(
    _ status: Int, _ challenge: String, _ wanted: String
  ) async throws {
    let party = try await RelyingParty()
    let ada = try await party.logIn().get()
    party.line.edit.value = { path, reply in
      guard path == "/notes" else { return }
      reply.status = status
      reply.fields.append(HTTPField("WWW-Authenticate", challenge))
    }
    let notes = HTTPRequest.get(try #require(HTTPURL("\(party.server.url)/notes")))
    #expect(try await party.book.send(notes).status == status)
    #expect(try await party.book.demandedStepUp(of: ada.account) == StepUp())
    #expect(try await party.book.context(of: ada.account).state == .active)
    let why = try await party.book.why(ada.account)
    #expect(why.advice == .askDemand)
    #expect(
      why.steps.last?.sentence.text { _ in "T" }
        == "The server asked for \(wanted), but did not say which.")
    let before = try party.world.kinds()
    for demand in [nil, StepUp()] {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await party.book.stepUpLogin(
          of: ada.account, to: demand, redirectURI: RelyingParty.callback)
      }
    }
    #expect(try party.world.kinds() == before)
    #expect(party.count("/token") == 1)
    // Who knows what it wants may say it.
    let stronger = try await party.book.stepUpLogin(
      of: ada.account, to: StepUp(scopes: ["email"]), redirectURI: RelyingParty.callback)
    #expect(stronger.method.opensPage)
  }
}
