internal import Foundation
internal import Testing

/// What the tests of logins rely on.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct OAuth1ServerTests {
  private static let callback = "http://127.0.0.1:9/callback"

  @Test(arguments: OAuth1Call.Signature.allCases)
  func `both libraries know who allowed it`(_ signature: OAuth1Call.Signature) throws {
    let server = try OAuth1Server.shared()
    let token = try token(of: .zofie, at: server, signature)
    for url in [server.checkURL, server.secondCheckURL] {
      let call = call(server, signature, url, token)
      #expect(try JSONObject(call.send().output)["user"]?.text == "žofie")
      #expect(try call.status(forged: true) == 401)
    }
  }

  @Test(arguments: OAuth1Call.Signature.allCases)
  func `a forged signature gets nothing`(_ signature: OAuth1Call.Signature) throws {
    let call = try initiation(at: .shared(), signature, callback: Self.callback)
    #expect(try call.status(forged: true) == 401)
    #expect(try call.status() == 200)
  }

  @Test func `a nonce is good once`() throws {
    let server = try OAuth1Server.shared()
    let token = try token(of: .alice, at: server)
    for url in [server.checkURL, server.secondCheckURL] {
      let header = try call(server, .hmacSHA1, url, token).header()
      #expect(try Curl.status(["-H", header, url]) == 200)
      #expect(try Curl.status(["-H", header, url]) == 401)
    }
  }

  @Test func `a verifier is good once`() throws {
    let server = try OAuth1Server.shared()
    let exchange = try exchange(for: .alice, at: server)
    #expect(try exchange.status() == 200)
    #expect(try exchange.status() == 401)
  }

  @Test func `a token outlives a restart and ends when it is revoked`() throws {
    let server = try OAuth1Server.own()
    let alice = try token(of: .alice, at: server)
    let bob = try token(of: .bob, at: server)
    try server.stop()
    #expect(try Curl.run([server.base]).status == 7)  // CURLE_COULDNT_CONNECT
    try server.startAgain()
    for url in [server.checkURL, server.secondCheckURL] {
      #expect(try call(server, .hmacSHA1, url, alice).status() == 200)
    }
    #expect(try server.revokeTokens(of: "alice") == 1)
    for url in [server.checkURL, server.secondCheckURL] {
      #expect(try call(server, .hmacSHA1, url, alice).status() == 401)
      #expect(try call(server, .hmacSHA1, url, bob).status() == 200)
    }
  }

  @Test func `a server whose clock is ahead refuses timestamps`() throws {
    let server = try OAuth1Server.own(["CLOCK": "+1h"])
    #expect(try initiation(at: server, .hmacSHA1, callback: Self.callback).status() == 400)
  }

  private func initiation(
    at server: OAuth1Server, _ signature: OAuth1Call.Signature, callback: String
  ) throws -> OAuth1Call {
    OAuth1Call(
      server: server, signature: signature, url: server.requestURL,
      parameters: ["oauth_callback": callback])
  }

  /// The call that gets a token, after the person has allowed it.
  private func exchange(
    for person: Person, at server: OAuth1Server, _ signature: OAuth1Call.Signature = .hmacSHA1
  ) throws -> OAuth1Call {
    let initiation = try initiation(at: server, signature, callback: Self.callback)
    let temporary = try initiation.form(initiation.send())
    #expect(temporary["oauth_callback_confirmed"]?.lowercased() == "true")
    let token = try #require(temporary["oauth_token"])
    let redirect = try person.visit("\(server.authorizeURL)?oauth_token=\(token)")
    #expect(redirect.hasPrefix(Self.callback + "?"))
    let items = URLComponents(string: redirect)?.queryItems ?? []
    #expect(items.first { $0.name == "oauth_token" }?.value == token)
    let verifier = try #require(items.first { $0.name == "oauth_verifier" }?.value)
    return OAuth1Call(
      server: server, signature: signature, url: server.accessURL,
      parameters: ["oauth_token": token, "oauth_verifier": verifier],
      tokenSecret: try #require(temporary["oauth_token_secret"]))
  }

  private func token(
    of person: Person, at server: OAuth1Server, _ signature: OAuth1Call.Signature = .hmacSHA1
  ) throws -> [String: String] {
    let exchange = try exchange(for: person, at: server, signature)
    return try exchange.form(exchange.send())
  }

  private func call(
    _ server: OAuth1Server, _ signature: OAuth1Call.Signature, _ url: String,
    _ token: [String: String]
  ) -> OAuth1Call {
    OAuth1Call(
      server: server, signature: signature, method: "GET", url: url,
      parameters: ["oauth_token": token["oauth_token"] ?? ""],
      tokenSecret: token["oauth_token_secret"] ?? "")
  }
}
