internal import Testing

/// What the tests of logins in a browser rely on.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct PersonTests {
  private let server: OAuth1Server

  init() throws {
    server = try .shared()
  }

  @Test(arguments: [Person.alice, .bob, .zofie])
  func `a person who allows hands over a verifier`(_ person: Person) throws {
    let answer = try person.visit(page(callback: "com.example.gatebook://callback"))
    #expect(answer.hasPrefix("com.example.gatebook://callback?oauth_token="))
    #expect(answer.contains("&oauth_verifier="))
  }

  @Test func `a person who denies hands over none`() throws {
    let answer = try Person.alice.visit(
      page(callback: "http://127.0.0.1:9/callback"), allowing: false)
    #expect(answer.contains("error=access_denied"))
    #expect(!answer.contains("oauth_verifier="))
  }

  @Test func `a person with a wrong password does not reach the client`() throws {
    let stranger = Person(name: "alice", password: "not-it")
    let result = try stranger.attempt(page(callback: "http://127.0.0.1:9/callback"))
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("Wrong name or password"))
  }

  @Test func `a person reads a verifier when the client has no callback`() throws {
    #expect(try Person.alice.visit(page(callback: "oob")).hasPrefix("The verifier is "))
  }

  @Test func `a person goes to the client when asked to`() throws {
    let apache = try ApacheServer.shared()
    let answer = try Person.alice.visit(
      page(callback: apache.base + "/public/"), following: true)
    #expect(answer.hasPrefix(apache.base + "/public/?"))
    let missing = try page(callback: apache.base + "/public/missing")
    #expect(try Person.alice.attempt(missing, following: true).errors.contains("answers 404"))
  }

  /// Where a client that asked for access sends people to.
  private func page(callback: String) throws -> String {
    let call = OAuth1Call(
      server: server, signature: .plaintext, url: server.requestURL,
      parameters: ["oauth_callback": callback])
    let token = try #require(try call.form(call.send())["oauth_token"])
    return "\(server.authorizeURL)?oauth_token=\(token)"
  }
}
