internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

@testable internal import GatebookAuthentication

/// Base strings and signatures: RFC 5849 section 3.4 and the vectors of both fixture files.
struct OAuth1SignatureTests {
  @Test
  func `every vector of the fixtures is read`() {
    let generic = Fixture.read(PackageResources.rfc_vectors_json).object?["oauth1"]?.list?.count
    let portal = Fixture.read(PackageResources.oauth1_hmac_sha1_vectors_json).list?.count
    #expect(OAuth1Vector.all.count == (generic ?? 0) + (portal ?? 0))
    #expect(OAuth1Vector.all.count > 8)
  }

  @Test(arguments: OAuth1Vector.all)
  func `a request has the vector's base string and signature`(_ vector: OAuth1Vector) throws {
    for request in [try vector.withQuery(), try vector.withBody()] {
      let base = OAuth1BaseString.make(request, parameters: vector.protocolParameters)
      #expect(String(decoding: base, as: UTF8.self) == vector.base)
      let signature = try OAuth1Signature.hmacSHA1.sign(
        base, consumerSecret: Secret(vector.consumerSecret),
        tokenSecret: Secret(vector.tokenSecret))
      #expect(signature == vector.signature)
    }
  }

  // RFC 5849 section 3.4.1.1, with its query, header and body in their places.
  @Test
  func `parameters come from query, header and form body together`() throws {
    let url = try #require(HTTPURL("http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b"))
    let type = HTTPField("content-type", "Application/X-WWW-Form-URLEncoded; charset=UTF-8")
    let request = HTTPRequest("post", url, fields: [type], body: Array("c2&a3=2+q".utf8))
    let base = OAuth1BaseString.make(
      request,
      parameters: [
        OAuth1Parameter("oauth_consumer_key", "9djdj82h48djs9d2"),
        OAuth1Parameter("oauth_token", "kkk9d7dh3k39sjv7"),
        OAuth1Parameter("oauth_signature_method", "HMAC-SHA1"),
        OAuth1Parameter("oauth_timestamp", "137131201"),
        OAuth1Parameter("oauth_nonce", "7d8f3e4a"),
      ])
    let vector = try #require(OAuth1Vector.all.first { $0.value("b5") == "=%3D" })
    #expect(String(decoding: base, as: UTF8.self) == vector.base)
  }

  private func base(
    _ url: String, method: String = "GET", type: String? = nil, body: String = ""
  ) throws -> String {
    let request = HTTPRequest(
      method, try #require(HTTPURL(url)),
      fields: type.map { [HTTPField("Content-Type", $0)] } ?? [],
      body: Array(body.utf8))
    return String(decoding: OAuth1BaseString.make(request, parameters: []), as: UTF8.self)
  }

  // RFC 5849 section 3.4.1.2, with its two examples first.
  @Test(arguments: [
    ("http://EXAMPLE.COM:80/r%20v/X?id=123", "GET&http%3A%2F%2Fexample.com%2Fr%2520v%2FX&id%3D123"),
    (
      "https://www.example.net:8080/?q=1",
      "GET&https%3A%2F%2Fwww.example.net%3A8080%2F&q%3D1"
    ),
    ("https://a.example:443", "GET&https%3A%2F%2Fa.example%2F&"),
    ("http://a.example:443/", "GET&http%3A%2F%2Fa.example%3A443%2F&"),
    ("https://a.example/p;v=1/q#f", "GET&https%3A%2F%2Fa.example%2Fp%3Bv%3D1%2Fq&"),
    ("http://[::1]:8080/x", "GET&http%3A%2F%2F%5B%3A%3A1%5D%3A8080%2Fx&"),
  ])
  func `the base string URI has neither default port, query nor fragment`(
    _ url: String, _ base: String
  ) throws {
    #expect(try self.base(url) == base)
  }

  @Test(arguments: [
    ("a=2&a=1", "a%3D1%26a%3D2"), ("a=1&a=1", "a%3D1%26a%3D1"), ("a", "a%3D"), ("a=", "a%3D"),
    ("=a", "%3Da"), ("a=b=c", "a%3Db%253Dc"), ("&&a=1&", "a%3D1"),
    // Names before values: "a-" sorts after "a" although "-" is less than "=".
    ("a-=1&a=2", "a%3D2%26a-%3D1"), ("a=~&a=%7E", "a%3D~%26a%3D~"),
    ("z=1&A=1&a=1&%C3%A9=1", "%25C3%25A9%3D1%26A%3D1%26a%3D1%26z%3D1"),
    ("a=+&a=%20&a=%2B", "a%3D%2520%26a%3D%2520%26a%3D%252B"), ("a=%FF", "a%3D%25FF"),
    ("a=*!'()", "a%3D%252A%2521%2527%2528%2529"), ("a=1&oauth_signature=x", "a%3D1"),
  ])
  func `parameters are decoded once, encoded and sorted by bytes`(
    _ query: String, _ parameters: String
  ) throws {
    #expect(try base("http://a.example/?\(query)") == "GET&http%3A%2F%2Fa.example%2F&\(parameters)")
    #expect(
      try base(
        "http://a.example/", method: "POST", type: "application/x-www-form-urlencoded", body: query)
        == "POST&http%3A%2F%2Fa.example%2F&\(parameters)")
  }

  @Test(arguments: [
    nil, "application/json", "multipart/form-data; boundary=b", "text/plain",
    "application/x-www-form-urlencoded-not",
  ])
  func `a body that is no form is not signed`(_ type: String?) throws {
    #expect(
      try base("http://a.example/", method: "POST", type: type, body: "a=1")
        == "POST&http%3A%2F%2Fa.example%2F&")
  }

  /// RFC 5849 section 3.4.1.3.1.
  @Test(
    arguments: [
      ("{\"a\":1}", false), ("<a/>", false), ("a=1\n", false), ("a=\u{E9}", false),
      ("a=%zz", false),
      ("a=%2", false), ("[1]", false), ("a|b", false), ("", true), ("a", true), ("a=1&b=", true),
      ("a=%7B+x", true), ("a=b:c/d?e@f;g,h!i~j*k'(l)$m", true),
    ],
    ["application/x-www-form-urlencoded", "Application/X-WWW-Form-URLencoded; charset=UTF-8"])
  func `a body that is no form is not signed, whatever its type says`(
    _ row: (body: String, isForm: Bool), _ type: String
  ) throws {
    let empty = "POST&http%3A%2F%2Fa.example%2F&"
    let made = try base("http://a.example/", method: "POST", type: type, body: row.body)
    #expect((made == empty) == (!row.isForm || row.body.isEmpty), "\(made)")
  }

  @Test
  func `defect 14: the sort tells capitals from small letters`() throws {
    #expect(
      try base("http://a.example/?b=1&B=2&a=3")
        == "GET&http%3A%2F%2Fa.example%2F&B%3D2%26a%3D3%26b%3D1")
  }

  @Test
  func `defect 14: repeated keys are kept`() throws {
    #expect(
      try base("http://a.example/?k=2&k=1&k=2")
        == "GET&http%3A%2F%2Fa.example%2F&k%3D1%26k%3D2%26k%3D2")
  }

  // Computed with another program: HMAC-SHA1 under "c%26s&t%2B%25".
  @Test
  func `defect 14: secrets are encoded in the key`() throws {
    let base = Array("GET&http%3A%2F%2Fa.example%2F&".utf8)
    let (consumer, token) = (Secret("c&s"), Secret("t+%"))
    #expect(
      try OAuth1Signature.hmacSHA1.sign(base, consumerSecret: consumer, tokenSecret: token)
        == "w+Rr8dd7LkK846NoYRIZsZl8vmo=")
    #expect(
      try OAuth1Signature.hmacSHA256.sign(base, consumerSecret: consumer, tokenSecret: token)
        == "BMEXAlQGmtqSQWWXb8ZJD9cjMGI+xnZczukjnogYSf0=")
    #expect(
      try OAuth1Signature.plaintext.sign(base, consumerSecret: consumer, tokenSecret: token)
        == "c%26s&t%2B%25")
    #expect(
      try OAuth1Signature.plaintext.sign(base, consumerSecret: consumer, tokenSecret: Secret(""))
        == "c%26s&")
  }

  // The signature that another program made.
  @Test
  func `RSA-SHA1 signs with the private key and no secret`() throws {
    let consumer = try OAuth1Consumer(key: "k", privateKey: Secret(Self.privateKey))
    let base = Array("GET&http%3A%2F%2Fa.example%2F&".utf8)
    for secret in ["", "unused"] {
      #expect(
        try consumer.signature.sign(
          base, consumerSecret: Secret(secret), tokenSecret: Secret(secret)) == Self.signature)
    }
  }

  @Test
  func `a private key that cannot be used is refused as a setting`() {
    #expect {
      try OAuth1Consumer(key: "k", privateKey: Secret("no key"))
    } throws: {
      ($0 as? GatebookError)?.code == .configurationInvalid
    }
  }

  /// A key of 1,024 bits, made for these tests alone; it protects nothing.
  static let privateKey = """
    -----BEGIN PRIVATE KEY-----
    MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBALcz6zcXnXil95c4
    mOhOETlPAiupZUMDA+LtnYX0QqQzfRXxlTnqmg8GdvNgxHKs8tsHHfxMSGRVg/uu
    PItfHyRBtVl3qp/dsJb5xK7/iD2xBMS6dne6kMFmfq0ZkM530yyi5sy9SsYTt0TT
    8dViefI6Oo5hUaiD1//aV91UpKkZAgMBAAECgYA/Nm3hm4ddOr78ca3o8g7lXEqe
    cBudjKvJoD1rHAXmjFGLwcjArB8uMgfXIDuIaf597q29AUE1RYB91ffUCyU+EqYC
    awfhy9Dn5E1Ig7ONm5dYtDiFzXo/TOV564Yh03nvg64yAsb7O99N0c3/QOe6xX+f
    AW2ks44T+XTpT/PvgQJBAOZc/7z8kbk+rq3QRFwUe3uRRQjy7BpN6Q9qg9Tr4KmX
    XT2yYUXIfuiC+3Pxaiqta5U06b74YfDJrp9I46qNfnECQQDLl1P6TNJh9HPHiC3m
    4+CmLJHkGr9UI3/9dBur9VlKdfc/04zXWhau05Y4XoGfiGCu2BrKQkrxK1OrgrBi
    uHkpAkEAqVCHYzdcQARzTSt7YxZm4B6Y2Af8QyUqfHs0ZEXufZfUH2nBlxHTPUAw
    Yzp4Zt/J6APZHdTf36PM5iQjuZJ/8QJBAMLQs9M337lMKd4tOX9PX5Cj5ZbY4Wyp
    67ekezY5OJBAAbBZxtPrqPjyDzUxeegmoB2vPTN97CiKxS3BiPdufsECQATA4siB
    Ip+qayjAeieVraw8XsSPEfe+SqrTCOy7lUbbmlz0KScHG+DyqyRZvbpr4vjVdR0u
    17nASfumKJNlVFc=
    -----END PRIVATE KEY-----
    """

  private static let signature = """
    o8LUy1saAtbWnvwyXR0WXnaAhWtZUhVuT6QAR6As6/tE7Unb2sdshywX7klpg5cGtwzAyey/24cqx0xf\
    W1YxdKxTzkOOPCAqCvde22xPhs+7gB1UzId7BL2cXaf02wpPZypITxd/5yKbvmv5mGo2Cc+SEjXf0LXE\
    yuIQx4oxzB0=
    """
}
