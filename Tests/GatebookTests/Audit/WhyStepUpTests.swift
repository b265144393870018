import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// What `why` says of logins that were to be as strong as a server demands.
@Suite struct WhyStepUpTests {
  @Test func `an account without a page begins no login on one`() async throws {
    let (world, server, _) = try await TokenServer.stage()
    let demand = #"Bearer error="insufficient_scope", scope="write""#
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        guard request.url.path == "/write" else {
          return try await server.transport.send(request, through: route)
        }
        return HTTPReply(status: 403, fields: [HTTPField("WWW-Authenticate", demand)])
      })
    let ada = try await book.logIn(server.method()).account
    let page = try #require(HTTPURL("https://auth.example/write"))
    _ = try? await book.send(.get(page), as: ada)
    let before = try world.kinds()
    #expect(try await book.why(ada).advice == .stepUp)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.stepUpLogin(of: ada, redirectURI: "com.example.app:/back")
    }
    #expect(try world.kinds() == before)
  }

  @Test func `a page that answers for another user is explained with the wanted user`()
    async throws
  {
    let party = try await RelyingParty()
    let ada = try await party.logIn().get().account
    party.line.edit.value = { path, reply in
      guard path == "/notes" else { return }
      let demand = #"Bearer error="insufficient_scope", scope="email""#
      reply.status = 403
      reply.fields.append(HTTPField("WWW-Authenticate", demand))
    }
    _ = try await party.book.send(
      .get(try #require(HTTPURL("\(party.server.url)/notes"))), as: ada)
    #expect(try await party.book.why(ada).advice == .stepUp)
    party.server.settings.subject = "mallory"
    let (method, options) = try await party.book.stepUpLogin(
      of: ada, redirectURI: RelyingParty.callback)
    let pending = try await party.book.beginLogIn(method, options: options)
    let redirect = try await FaultPerson.follow(pending.page.description)
    await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await party.book.finishLogIn(redirect: redirect)
    }
    #expect(try await party.book.why(ada).advice == .checkIdentity)
  }
}
