internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

@testable internal import GatebookAuthentication

/// The `Authorization` field: RFC 5849 sections 1.2 and 3.5.1.
struct OAuth1SignerTests {
  private static let photos = OAuth1Consumer(
    key: "dpf43f3p2l4k3l03", secret: Secret("kd94hf93k423kf44"))

  private func signed(
    _ request: HTTPRequest, token: OAuth1Token? = nil, _ timestamp: Int64, _ nonce: String,
    extra: [OAuth1Parameter] = [], realm: String? = "Photos"
  ) throws -> String {
    let signer = OAuth1Signer(Self.photos, token: token)
    let signed = try signer.sign(
      request, stamp: OAuth1Stamp(timestamp: timestamp, nonce: nonce), extra: extra, realm: realm)
    let values = signed.fields.values(of: "Authorization")
    #expect(values.count == 1)
    return try #require(values.first)
  }

  // The requests of RFC 5849 section 1.2 with `oauth_version`, signed with another program.
  @Test
  func `the request for temporary credentials is signed as in the standard`() throws {
    let url = try #require(HTTPURL("https://photos.example.net/initiate"))
    let field = try signed(
      HTTPRequest("POST", url), 137_131_200, "wIjqoS",
      extra: [OAuth1Parameter("oauth_callback", "http://printer.example.com/ready")])
    #expect(
      field == """
        OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", \
        oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131200", oauth_nonce="wIjqoS", \
        oauth_version="1.0", oauth_callback="http%3A%2F%2Fprinter.example.com%2Fready", \
        oauth_signature="msrTmwtDEKqeVXeJaufuiXOpbJI%3D"
        """)
  }

  @Test
  func `the request for a token is signed as in the standard`() throws {
    let url = try #require(HTTPURL("https://photos.example.net/token"))
    let token = OAuth1Token(token: Secret("hh5s93j4hdidpola"), secret: Secret("hdhd0244k9j7ao03"))
    let field = try signed(
      HTTPRequest("POST", url), token: token, 137_131_201, "walatlh",
      extra: [OAuth1Parameter("oauth_verifier", "hfdp7dh39dks9884")])
    #expect(field.contains(#"oauth_token="hh5s93j4hdidpola", oauth_signature_method="#))
    #expect(field.contains(#"oauth_verifier="hfdp7dh39dks9884""#))
    #expect(field.hasSuffix(#"oauth_signature="TTfFVvlRAvmVe2B4CvOBMQlgJNw%3D""#))
  }

  @Test(
    arguments: [
      (137_131_202, "chapoH", "1IAE9RzK%2BDqSqVTdQ%2F0zWANXVzs%3D"),
      (1_191_242_096, "kllo9940pd9333jh", "tR3%2BTy81lMeYAr%2FFid0kMTYa%2FWM%3D"),
    ] as [(Int64, String, String)])
  func `a request with a token is signed as in the standard`(
    _ timestamp: Int64, _ nonce: String, _ signature: String
  ) throws {
    let url = try #require(
      HTTPURL("http://photos.example.net/photos?file=vacation.jpg&size=original"))
    let token = OAuth1Token(token: Secret("nnch734d00sl2jdk"), secret: Secret("pfkkdhi9sl3r4s00"))
    let field = try signed(.get(url), token: token, timestamp, nonce)
    #expect(field.hasSuffix("oauth_signature=\"\(signature)\""))
    #expect(field.contains(#"oauth_version="1.0""#))
  }

  @Test
  func `an Authorization field of the app is replaced and the rest of the request stays`() throws {
    let url = try #require(HTTPURL("https://a.example/"))
    let request = HTTPRequest(
      "POST", url, fields: [HTTPField("authorization", "Basic eA=="), HTTPField("X-A", "1")],
      body: [1, 2])
    let signed = try OAuth1Signer(Self.photos).sign(
      request, stamp: OAuth1Stamp(timestamp: 1, nonce: "n"))
    #expect(signed.fields.map(\.name) == ["X-A", "Authorization"])
    #expect(signed.body == [1, 2])
    #expect(signed.url == url)
  }

  @Test
  func `names and values are encoded and quoted, and a realm cannot break out`() throws {
    let url = try #require(HTTPURL("https://a.example/"))
    let field = try signed(
      .get(url), 1, "n", extra: [OAuth1Parameter("oauth_verifier", "v~1 %2\"é")],
      realm: "a\"b\\c\r\nd")
    #expect(field.contains(#"oauth_verifier="v~1%20%252%22%C3%A9""#))
    #expect(field.hasPrefix(#"OAuth realm="a\"b\\cd", oauth_consumer_key"#))
  }

  @Test
  func `no realm and no token leave their parameters out`() throws {
    let url = try #require(HTTPURL("https://a.example/"))
    let field = try signed(.get(url), 1, "n", realm: nil)
    #expect(
      field.hasPrefix(#"OAuth oauth_consumer_key="dpf43f3p2l4k3l03", oauth_signature_method"#))
    #expect(!field.contains("oauth_token"))
  }

  @Test(arguments: [
    ("http://a.example/", false), ("https://a.example/", true), ("http://127.0.0.1:8080/", true),
    ("http://localhost/", true), ("http://localhost.example/", false),
  ])
  func `PLAINTEXT goes only over TLS or to this machine`(_ url: String, _ isSigned: Bool) throws {
    let request = HTTPRequest.get(try #require(HTTPURL(url)))
    let signer = OAuth1Signer(
      OAuth1Consumer(key: "k", secret: Secret("s&"), method: .plaintext),
      token: OAuth1Token(token: Secret("t"), secret: Secret("u")))
    let stamp = OAuth1Stamp(timestamp: 1, nonce: "n")
    if isSigned {
      let field = try signer.sign(request, stamp: stamp).fields.first("Authorization")
      #expect(field?.hasSuffix(#"oauth_signature="s%2526%26u""#) == true)
      #expect(field?.contains(#"oauth_signature_method="PLAINTEXT""#) == true)
    } else {
      #expect {
        try signer.sign(request, stamp: stamp)
      } throws: {
        ($0 as? GatebookError)?.code == .loginCleartext
      }
    }
  }

  @Test
  func `a stamp has the server's time and 128 random bits`() {
    let now = Timestamp(rawValue: 1_700_000_000_999_999)
    let stamp = OAuth1Stamp(
      clock: OAuth1Clock(offset: -300), at: now, random: (0..<64).map { UInt8($0) })
    #expect(stamp.timestamp == 1_699_999_700)
    #expect(stamp.nonce == "000102030405060708090a0b0c0d0e0f")
  }
}
