import GatebookTestSupport
import Testing

@testable import GatebookAuthentication

/// What a request tells in confidence, and a server may echo.
@Suite struct ConfidenceTests {
  private func request(
    _ fields: [HTTPField] = [], body: String = "", query: String = ""
  ) throws -> HTTPRequest {
    HTTPRequest(
      "POST", try #require(HTTPURL("https://id.example/token\(query)")), fields: fields,
      body: Array(body.utf8))
  }

  private func isEcho(_ word: String, of request: HTTPRequest) -> Bool {
    var sentSecrets = SentSecrets()
    sentSecrets.note(request, HTTPReply(status: 400))
    return sentSecrets.leaks(among: ["other", word]) == [word]
  }

  @Test(arguments: [
    ("grant_type=password&username=ada&password=lovelace-1815", "lovelace-1815", true),
    ("grant_type=password&username=ada&password=lovelace-1815", "bad.lovelace-1815", true),
    ("grant_type=password&username=ada&password=lovelace%2D1815", "lovelace-1815", true),
    ("grant_type=password&username=ada&password=Lovelace-1815", "lovelace-1815", true),
    ("grant_type=password&username=ada&password=lovelace-1815", "ada", true),
    ("grant_type=password&username=ada&password=lovelace-1815", "invalid_grant", false),
    // Short values are in many words by chance.
    ("grant_type=password&username=ada&password=x", "invalid.adapter", false),
    ("grant_type=refresh_token&refresh_token=rt1canaryada", "rt1canaryada", true),
    ("grant_type=refresh_token&refresh_token=rt1canaryada", "canaryada", true),
    ("grant_type=refresh_token&refresh_token=rt1canaryada", "rt1", false),
    ("grant_type=refresh_token&client_id=app", "unsupported.refresh_token", false),
    // A code of a standard tells nothing, whatever the password is.
    ("grant_type=password&username=ada&password=invalid_grant", "invalid_grant", false),
    ("grant_type=password&username=ada&password=client", "bad_client", false),
    (#"{"client_id":"portal-app","scope":"read-all"}"#, "portal-app", false),
    ("response_type=code&prompt=login&state=s1", "login_required", false),
    (#"{"username":"ada","pin":[{"value":"1234"}]}"#, "1234", true),
    (#"{"username":"ada","pin":4711}"#, "4711", true),
    ("", "invalid_request", false),
    // A word of a list or of a URL.
    ("select=displayName,userPrincipalName", "displayName", false),
    ("back=/c/portal;jsessionid=1", "jsessionid", false),
  ])
  func `a body's values are in confidence`(body: String, word: String, isTold: Bool) throws {
    #expect(try isEcho(word, of: request(body: body)) == isTold)
  }

  @Test(arguments: [
    ("Authorization", "Basic YWRhOmxvdmVsYWNl", "lovelace", true),
    ("authorization", "Bearer at1canary", "at1canary", true),
    ("Authorization", "Digest username=\"ada\", nonce=\"n0nce\"", "n0nce", false),
    ("Authorization", "Basic YXBwOnMlMkZjcmV0LXgy", "s/cret-x2", true),
    ("Proxy-Authorization", "Basic YWRhOmxvdmVsYWNl", "ada", true),
    ("Cookie", "a=1; session=c00kie", "c00kie", true),
    ("Accept", "c00kie", "c00kie", false),
  ])
  func `credentials and cookies are in confidence`(
    name: String, value: String, word: String, isTold: Bool
  ) throws {
    #expect(try isEcho(word, of: request([HTTPField(name, value)])) == isTold)
  }

  @Test func `so is a query`() throws {
    let request = try request(query: "?code=c0de-of-one-use&scope=write")
    #expect(isEcho("c0de-of-one-use", of: request))
    #expect(!isEcho("write", of: request))
  }

  @Test(arguments: [
    (#"{"access_token":"a1-canary"}"#, "a1-canary", true),
    (#"{"access_token":"a1-canary"}"#, "at.a1-canary", true),
    (#"{"refresh_token":"r1-canary","scope":"read"}"#, "read", false),
    (#"{"sessionid":"s1-canary"}"#, "s1-canary", true),
    (#"{"token_type":"custom-type","expires_in":60}"#, "custom-type", false),
    (#"{"token_endpoint":"https://id.example/accounts/token"}"#, "accounts", false),
    ("oauth_token=t1-canary&oauth_token_secret=t1-secret", "t1-secret", true),
    ("<html>", "html", false),
  ])
  func `so are the secrets that an answer gives`(body: String, word: String, isTold: Bool) throws {
    var sentSecrets = SentSecrets()
    sentSecrets.note(try request(), HTTPReply(status: 200, body: Array(body.utf8)))
    #expect(sentSecrets.leaks(among: ["other", word]) == (isTold ? [word] : []))
  }

  @Test func `so are cookies, whose names are not`() throws {
    var sentSecrets = SentSecrets()
    sentSecrets.note(
      try request(),
      HTTPReply(status: 200, fields: [HTTPField("set-cookie", "sid=c00kie; Path=/; HttpOnly")]))
    #expect(sentSecrets.leaks(among: ["sid", "c00kie", "HttpOnly"]) == ["c00kie"])
  }

  @Test func `the last exchanges count, and of the same request each that gave something`() throws {
    var sentSecrets = SentSecrets()
    for number in 0..<20 {
      sentSecrets.note(
        try request(query: "?state=state-\(number / 2)"),
        HTTPReply(status: 200, fields: [HTTPField("Set-Cookie", "sid=value-\(number)")]))
    }
    #expect(
      sentSecrets.leaks(among: ["state-0", "state-9", "value-3", "value-18", "value-19"])
        == ["state-9", "value-18", "value-19"])
  }

  /// The rule as it reads, each word compared with each value: what the search must agree with.
  private func isEcho(_ word: String, of value: String, isSecret: Bool) -> Bool {
    value == word || value.utf8.count >= 8 && word.contains(value)
      || word.utf8.count >= 8 && value.contains(word)
        && (isSecret || !value.contains(where: "/,;& ".contains))
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `each verdict is that of comparing each word with each value`(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let pieces = [
      "ada", "-", "x", "Q1", "secret", "é", "e\u{301}", "\u{37E}", ";", "/", " ", "ß", "👩‍👧",
    ]
    func text(_ random: inout SplitMix) -> String {
      (0..<Int.random(in: 0...5, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
    }
    let values = (0..<6).map { _ in text(&random) }
    let words = (0..<20).map { _ in text(&random) } + values
    // By its name the first half is secret.
    let body = FormEncoding.encode(
      values.enumerated().map {
        ($0.offset < 3 ? "password\($0.offset)" : "p\($0.offset)", $0.element)
      })
    var sentSecrets = SentSecrets()
    sentSecrets.note(try request(body: body.text), HTTPReply(status: 400))
    let lowercased = values.map { $0.lowercased() }
    let expected = words.filter { word in
      lowercased.enumerated().contains {
        isEcho(word.lowercased(), of: $0.element, isSecret: $0.offset < 3)
      }
    }
    #expect(sentSecrets.leaks(among: words) == Set(expected))
  }
}
