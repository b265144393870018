internal import GatebookEvents
internal import Testing

@testable internal import GatebookAuthentication

struct ServerMetadataTests {
  private func metadata(
    _ changes: [String: String?] = [:], fields: KeyValuePairs<String, String> = [:]
  ) throws -> ServerMetadata {
    try #require(
      ServerMetadata(
        IdentityServer.metadata(changes, fields: fields), sent: Dialogue.moment,
        arrived: Dialogue.moment))
  }

  private func later(_ duration: Duration) -> Moment {
    Moment(wall: Dialogue.moment.wall + duration, boot: Dialogue.moment.boot + duration)
  }

  @Test
  func `it is good for an hour unless the server says otherwise`() throws {
    let metadata = try metadata()
    #expect(metadata.isFresh(at: later(.seconds(3599))))
    #expect(!metadata.isFresh(at: later(.seconds(3600))))
    #expect(!metadata.isFresh(at: later(.seconds(-1))))
  }

  @Test
  func `a server that did not say it again is left alone for five minutes`() throws {
    var metadata = try metadata()
    metadata.missed = later(.seconds(4000)).wall
    #expect(!metadata.serves(at: later(.seconds(3999))))
    #expect(metadata.serves(at: later(.seconds(4000))))
    #expect(metadata.serves(at: later(.seconds(4299))))
    #expect(!metadata.serves(at: later(.seconds(4300))))
    #expect(!metadata.isFresh(at: later(.seconds(4000))))
    #expect(metadata.serves(at: later(.seconds(10))))
    #expect(ServerMetadata(record: metadata.record) == metadata)
  }

  @Test(
    arguments: [
      ("max-age=60", 60), ("public, Max-Age=60", 60), ("no-store", 0), ("no-cache, max-age=9", 0),
      ("max-age=99999999", 86_400), ("max-age=soon", 0), ("private", 3600),
    ] as [(String, Int)])
  func `it is good for as long as the server says`(_ control: String, _ seconds: Int) throws {
    let metadata = try metadata(fields: ["Cache-Control": control])
    #expect(metadata.freshness == .seconds(seconds))
  }

  @Test
  func `the time that an answer lay in a cache is taken off`() throws {
    let metadata = try metadata(fields: ["Cache-Control": "max-age=60", "Age": "20"])
    #expect(metadata.freshness == .seconds(40))
  }

  @Test
  func `a date of expiry counts from the server's own`() throws {
    let metadata = try metadata(fields: [
      "Date": "Tue, 14 Nov 2023 20:00:00 GMT", "Expires": "Tue, 14 Nov 2023 20:05:00 GMT",
    ])
    #expect(metadata.freshness == .seconds(300))
  }

  @Test
  func `it survives the vault`() throws {
    let metadata = try metadata([
      "code_challenge_methods_supported": "[\"S256\"]",
      "token_endpoint_auth_methods_supported": "[\"client_secret_post\"]",
      "require_pushed_authorization_requests": "true",
      "authorization_response_iss_parameter_supported": "true",
    ])
    #expect(metadata.demandsPushedRequests && metadata.namesIssuerInRedirects)
    #expect(metadata.authenticationMethods == ["client_secret_post"])
    let bytes = metadata.record.encoded
    #expect(ServerMetadata(record: try #require(Facts(decoding: bytes))) == metadata)
  }

  @Test
  func `it says which endpoints have moved`() throws {
    let former = try metadata().endpoints
    let changes: [String: String?] = [
      "token_endpoint": "\"https://issuer.example/new\"", "userinfo_endpoint": nil,
    ]
    let moved = try metadata(changes).endpoints
    #expect(moved.changes(from: former) == ["token_endpoint", "userinfo_endpoint"])
    #expect(former.changes(from: former).isEmpty)
  }
}
