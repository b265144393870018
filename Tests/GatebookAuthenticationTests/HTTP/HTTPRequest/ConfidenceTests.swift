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
    HTTPRequest.echoes(among: ["other", word], of: [request]) == [word]
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
}
