internal import Foundation
internal import Testing

/// What the tests of credential helpers rely on: each server takes what it should and nothing else.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct ProgramServersTests {
  @Test func `the forge takes passwords at one path and tokens at another`() throws {
    let server = try OAuth2Server.own()
    let forge = try ForgeServer.own(tokensOf: server)
    let token = try Self.token(at: server)
    let refs = "/info/refs?service=git-upload-pack"
    let git = forge.repository("part-07") + refs
    let tokens = forge.repository("part-07", in: .token) + refs
    #expect(try Curl.status([git]) == 401)
    #expect(try Curl.status(["--user", "alice:alice-pass-1", git]) == 200)
    #expect(try Curl.status(["--user", "alice:\(token)", git]) == 401)
    #expect(try Curl.status([tokens]) == 401)
    #expect(try Curl.status(["-H", "Authorization: Bearer \(token)", tokens]) == 200)
    #expect(try Curl.status(["--user", "any:\(token)", tokens]) == 200)
    #expect(try Curl.status(["--user", "alice:alice-pass-1", tokens]) == 401)
    #expect(try server.expireTokens(of: .alice) == 1)
    #expect(try Curl.status(["--user", "any:\(token)", tokens]) == 401)
    #expect(try Curl.status([forge.index()]) == 401)
    #expect(try Curl.status(["--user", "bob:bob-pass-1", forge.index()]) == 200)
    let own = forge.repository("bob/own") + refs
    #expect(try Curl.status(["--user", "alice:alice-pass-1", own]) == 403)
    #expect(try Curl.status(["--user", "bob:bob-pass-1", own]) == 200)
    try forge.changePassword(of: .bob)
    #expect(try Curl.status(["--user", "bob:bob-pass-1", own]) == 401)
    #expect(try Curl.status(["--user", "bob:changed-bob", own]) == 200)
  }

  @Test func `the registry takes passwords`() throws {
    let registry = try ImageRegistry.own()
    #expect(try Curl.status([registry.base + "/v2/"]) == 401)
    #expect(try Curl.status(["--user", "alice:wrong", registry.base + "/v2/"]) == 401)
    #expect(try Curl.status(["--user", "alice:alice-pass-1", registry.base + "/v2/"]) == 200)
  }

  @Test func `the Kubernetes server takes tokens until they end`() throws {
    let server = try OAuth2Server.own(["ACCESS_TTL": "1"])
    let kube = try KubeServer.own(tokensOf: server)
    let token = try Self.token(at: server)
    let request = ["--cacert", kube.authority, kube.base + "/api"]
    #expect(try Curl.status(request) == 401)
    let bearer = ["-H", "Authorization: Bearer \(token)"] + request
    try kube.holdOneAnswerUntilTheTokenEnds()
    #expect(try Curl.status(bearer) == 200)
    #expect(try Curl.status(bearer) == 401)
    #expect(try kube.requests().map(\.status) == [401, 200, 401])
    #expect(try kube.requests().last?.token == OAuth2Server.fingerprint(of: token))
  }

  /// An access token of alice, without Gatebook.
  private static func token(at server: OAuth2Server) throws -> String {
    let granted = try server.token(
      .password,
      ["grant_type": "password", "username": "alice", "password": "alice-pass-1", "scope": "read"])
    return try #require(granted.answer["access_token"]?.text)
  }
}
