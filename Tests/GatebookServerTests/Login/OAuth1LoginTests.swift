internal import Foundation
internal import Testing

/// Logins with OAuth 1.0a, and what signed requests get.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct OAuth1LoginTests {
  private let gatebook: GatebookTool

  init() throws {
    gatebook = try GatebookTool()
  }

  /// Logs a person in at a server whose page leads to a port of this machine.
  private func logIn(
    _ person: Person, at server: OAuth1Server, _ signature: OAuth1Call.Signature = .hmacSHA1,
    _ more: [String] = []
  ) throws -> (account: JSONObject, redirect: String) {
    let login = try gatebook.start(
      server.login(signature) + more, answers: [OAuth1Server.consumerSecret])
    let redirect = try person.visit(login.page(), following: true)
    let ending = try login.end()
    try #require(ending.status == 0, "\(ending.errors)")
    return (try JSONObject(ending.output), redirect)
  }

  /// Who a signed request speaks for.
  private func user(_ words: [String]) throws -> String? {
    let reply = try gatebook.run(["request", "--fail"] + words)
    try #require(reply.status == 0, "\(words): \(reply.errors)")
    return try JSONObject(reply.output)["user"]?.text
  }

  @Test(arguments: OAuth1Call.Signature.allCases)
  func `both libraries know whom the requests speak for`(_ signature: OAuth1Call.Signature) throws {
    let server = try OAuth1Server.shared()
    let (account, redirect) = try logIn(.zofie, at: server, signature)
    #expect(account["method"]?.text == "oauth1")
    #expect(account["state"]?.text == "active")
    #expect(redirect.hasPrefix("http://127.0.0.1:"))
    #expect(try user([server.checkURL]) == "žofie")
    #expect(try user([server.secondCheckURL]) == "žofie")
    let story = [
      "book.created", "login.started", "challenge.received", "challenge.answered",
      "account.added", "login.succeeded", "account.switched",
    ]
    #expect(try gatebook.kinds() == story)
    for kind in ["challenge.received", "challenge.answered"] {
      #expect(try gatebook.facts(of: kind).map { $0["scheme"]?.text } == ["redirect"])
    }
  }

  /// Names and values that break careless signers (RFC 5849, section 3.4.1.3).
  ///
  /// Only the second
  /// library reads them all.
  @Test func `what a request says is signed as it is sent`() throws {
    let server = try OAuth1Server.shared()
    _ = try logIn(.bob, at: server)
    let queries = [
      "q=a%20b&q=%C5%BEofie&b=&a=1&a=%2B%26%3D&c%5B%5D=x+y&tilde=~&q=a", "z&a=%25&z=&=x",
      "b5=%3D%253D&a3=a&c%40=&a2=r%20b", "a=2&a=10&a=1&A=0", "%C5%BE=1&%F0%9F%98%80=2",
    ]
    for query in queries {
      #expect(try user(["\(server.secondCheckURL)?\(query)"]) == "bob", "\(query)")
      let form = ["-H", "Content-Type: application/x-www-form-urlencoded", "-d", query]
      #expect(try user(form + [server.secondCheckURL + "?a=0&q=0"]) == "bob", "\(query)")
    }
    let json = ["-H", "Content-Type: application/json", "-d", #"{"a":"b&c=d"}"#]
    for url in [server.checkURL, server.secondCheckURL] {
      #expect(try user(json + [url + "?a=1"]) == "bob")
    }
  }

  @Test func `no secret lies beside the book`() throws {
    let (_, redirect) = try logIn(.alice, at: .shared())
    let items = URLComponents(string: redirect)?.queryItems ?? []
    let secrets = try ["oauth_token", "oauth_verifier"].map { name in
      try #require(items.first { $0.name == name }?.value)
    }
    #expect(try gatebook.files(holding: secrets + [OAuth1Server.consumerSecret]).isEmpty)
  }

  @Test func `the clock of a server that is ahead is learnt`() throws {
    let server = try OAuth1Server.own(["CLOCK": "+1h"])
    _ = try logIn(.alice, at: server)
    for url in [server.checkURL, server.secondCheckURL] { #expect(try user([url]) == "alice") }
  }

  @Test func `a session outlives the process and the server`() throws {
    let server = try OAuth1Server.own()
    let (account, _) = try logIn(.alice, at: server, .hmacSHA256, ["--label", "work"])
    try server.stop()
    #expect(try gatebook.object(["restore"])["state"]?.text == "offline")
    let (status, error) = try gatebook.failure(["request", server.checkURL])
    #expect(status == 4)
    #expect(error["code"]?.text == "network.unreachable")
    try server.startAgain()
    #expect(try user(["--account", "work", server.checkURL]) == "alice")
    #expect(try gatebook.object(["whoami"])["id"]?.text == account["id"]?.text)
  }

  @Test func `a token that was revoked needs a login`() throws {
    let server = try OAuth1Server.own()
    let (account, _) = try logIn(.alice, at: server)
    #expect(try user([server.secondCheckURL]) == "alice")
    #expect(try server.revokeTokens(of: "alice") == 1)
    #expect(try gatebook.run(["request", server.secondCheckURL]).status == 3)
    let current = try gatebook.object(["whoami"])
    #expect(current["state"]?.text == "needsLogin")
    #expect(current["reason"]?.text == "refused")
    #expect(try gatebook.failure(["restore"]).0 == 3)
    let (again, _) = try logIn(.alice, at: server)
    #expect(again["id"]?.text == account["id"]?.text)
    #expect(try user([server.checkURL]) == "alice")
  }

  @Test func `a wrong secret of the application is no wrong person`() throws {
    let server = try OAuth1Server.shared()
    let (status, error) = try gatebook.failure(server.login(), answers: ["not-it"])
    #expect(status == 1)
    #expect(error["code"]?.text == "configuration.invalid")
    #expect(try gatebook.lines(["accounts"]).isEmpty)
  }
}
