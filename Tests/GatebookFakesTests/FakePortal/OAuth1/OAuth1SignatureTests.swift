import Testing

@testable import GatebookFakes

/// The fake's own base string and signature against published ones.
@Suite struct OAuth1SignatureTests {
  private func signature(
    _ request: LoopbackRequest, scheme: String = "http", _ secrets: (String, String)
  ) throws -> String {
    let parameters = try OAuth1Parameters(request)
    return FakeOAuth1Signature(request: request, parameters: parameters, scheme: scheme)
      .value(secrets.0, secrets.1)
  }

  @Test func `the photos of the specification's appendix`() throws {
    let request = LoopbackRequest(
      "GET", "/photos?file=vacation.jpg&size=original",
      fields: [
        "Host": "Photos.example.net:80",
        "Authorization": """
        OAuth realm="x", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_token="nnch734d00sl2jdk",\
        oauth_nonce="kllo9940pd9333jh", oauth_timestamp="1191242096", oauth_version="1.0",\
        oauth_signature_method="HMAC-SHA1", oauth_signature="ignored"
        """,
      ])
    #expect(
      try signature(request, ("kd94hf93k423kf44", "pfkkdhi9sl3r4s00"))
        == "tR3+Ty81lMeYAr/Fid0kMTYa/WM=")
  }

  /// RFC 5849 section 3.4.1.1; the signature printed there is wrong.
  @Test func `repeated names and empty values of query, header and form`() throws {
    let request = LoopbackRequest(
      "post", "/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b",
      fields: [
        "Host": "EXAMPLE.COM", "Content-Type": "application/x-www-form-urlencoded",
        "Authorization": """
        OAuth realm="Example", oauth_consumer_key="9djdj82h48djs9d2",\
        oauth_token="kkk9d7dh3k39sjv7", oauth_signature_method="HMAC-SHA1",\
        oauth_timestamp="137131201", oauth_nonce="7d8f3e4a", oauth_signature="x"
        """,
      ], body: Array("c2&a3=2+q".utf8))
    let parameters = try OAuth1Parameters(request)
    #expect(
      FakeOAuth1Signature(request: request, parameters: parameters, scheme: "http").baseString
        == "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26"
        + "b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26"
        + "oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26"
        + "oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7")
    #expect(
      try signature(request, ("j49sk3j29djd", "dh893hdasih9")) == "r6/TJjbCOr97/+UU0NsvSne7s5g=")
  }

  /// A JSON body is no part; an awkward verifier is encoded twice; names are sorted by bytes.
  @Test(arguments: [
    (
      "https", "POST", "portal.example.test:443", "/c/portal/oauth/access_token",
      #"oauth_token="rt-1", oauth_verifier="v~1%20%252", oauth_nonce="n-2", "#
        + #"oauth_timestamp="1700000001", oauth_consumer_key="gb-consumer""#,
      "gb-secret", "rs-1", "HXFz0Vv+cb+Ty0PcjRLYOOkKik8="
    ),
    (
      "https", "POST", "portal.example.test", "/api/jsonws/invoke",
      #"oauth_token="at-1", oauth_nonce="n-3", oauth_timestamp="1700000002", "#
        + #"oauth_consumer_key="gb-consumer""#,
      "gb-secret", "as-1", "o3470bEqovyB5neY4VsjsHs2lrM="
    ),
    (
      "http", "GET", "example.com", "/r?alpha=2&Zeta=1",
      #"oauth_consumer_key="k", oauth_nonce="n", oauth_timestamp="1""#, "cs", "ts",
      "bsGkKMz1hWQ3Mh9AI+eAFcUzrXY="
    ),
  ])
  func `signatures that others computed`(
    _ scheme: String, _ method: String, _ host: String, _ target: String, _ header: String,
    _ consumerSecret: String, _ tokenSecret: String, _ value: String
  ) throws {
    let common = #"OAuth oauth_version="1.0", oauth_signature_method="HMAC-SHA1", "#
    let request = LoopbackRequest(
      method, target,
      fields: [
        "Host": host, "Authorization": common + header, "Content-Type": "application/json",
      ], body: Array(#"[{"/user/get-current-user":{}}]"#.utf8))
    #expect(try signature(request, scheme: scheme, (consumerSecret, tokenSecret)) == value)
  }
}
