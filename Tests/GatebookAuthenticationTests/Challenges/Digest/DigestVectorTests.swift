internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// The printed examples of the standards, and what an independent program makes of the same inputs.
struct DigestVectorTests {
  private static func vector(_ name: String) throws -> Facts {
    try #require(Fixture.read(PackageResources.rfc_vectors_json).object?[name]?.object)
  }

  /// The answer that a vector describes; with the body that its quality may need.
  private static func answer(
    _ vector: Facts, algorithm: String? = nil, quality: String? = "auth",
    hashesUser: Bool = false, method: String = "GET", body: String = ""
  ) throws -> DigestAnswer {
    func text(_ name: String) throws -> String { try #require(vector[name]?.text) }
    let settings = [
      ("realm", try text("realm")), ("nonce", try text("nonce")), ("algorithm", algorithm),
      ("qop", quality), ("opaque", vector["opaque"]?.text),
      ("userhash", hashesUser ? "true" : nil),
    ]
    let challenge = try #require(
      DigestChallenge(
        AuthenticationChallenge(
          "digest",
          parameters: settings.compactMap { name, value in
            value.map { AuthenticationChallenge.Parameter(name, $0) }
          })))
    let key = DigestKey(
      user: try text("username"), realm: challenge.realm, password: Secret(try text("password")),
      hash: challenge.algorithm.hash)
    let clientNonce = try text("cnonce")
    return DigestAnswer(
      challenge,
      to: HTTPRequest(
        method, try .at("http://www.example.org\(text("uri"))"), body: Array(body.utf8)),
      user: try text("username"),
      key: challenge.algorithm.isSession
        ? key.session(nonce: challenge.nonce, clientNonce: clientNonce) : key.digits,
      count: 1, clientNonce: clientNonce)
  }

  @Test(arguments: [
    ("rfc7616-3.9.1", DigestHash.md5, "3d78807defe7de2157e2b0b6573a855f"),
    (
      "rfc7616-3.9.1", .sha256,
      "7987c64c30e25f1b74be53f966b49b90f2808aa92faf9a00262392d7b4794232"
    ),
    ("rfc2617-3.5", .md5, "939e7578ed9e3c518a452acee763bce9"),
    (
      "rfc7616-3.9.2-erratum4897", .sha512Over256,
      "2d3d9f12c9f3d30011259dc5fecee005ae24de40e3e1f61806d03e65f1e6024f"
    ),
  ])
  func `HA1 is that of the standards' examples`(
    _ name: String, _ hash: DigestHash, _ digits: String
  ) throws {
    let vector = try Self.vector(name)
    let key = DigestKey(
      user: try #require(vector["username"]?.text), realm: try #require(vector["realm"]?.text),
      password: Secret(try #require(vector["password"]?.text)), hash: hash)
    #expect(key.digits == Secret(digits))
  }

  @Test(arguments: [
    ("rfc7616-3.9.1", "MD5", "9b712497bc9f91499fbcca1dfc5f09a5"),
    (
      "rfc7616-3.9.1", "SHA-256",
      "86d3b25618d41854ca5039a5d7e53ff6355d5134a9b1fb088a78ac3c462195a0"
    ),
    ("rfc2617-3.5", "MD5", nil),
    (
      "rfc7616-3.9.2-erratum4897", "SHA-512-256",
      "2a14c644cc564038709393846dc914772273b178abe03a2fb02c9684116bbc2d"
    ),
  ])
  func `response and rspauth are those of the standards' examples`(
    _ name: String, _ algorithm: String, _ proof: String?
  ) throws {
    let vector = try Self.vector(name)
    let response = vector["response"]?.text ?? vector["response"]?.object?[algorithm]?.text
    let answer = try Self.answer(vector, algorithm: algorithm)
    #expect(answer.response == (try #require(response)))
    if let proof { #expect(answer.proof(body: [], quality: .authentication) == proof) }
  }

  @Test func `the example of RFC 7616 section 3.9.1 is written exactly`() throws {
    let answer = try Self.answer(Self.vector("rfc7616-3.9.1"), algorithm: "MD5")
    #expect(
      answer.field
        == HTTPField(
          "Authorization",
          "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", "
            + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", "
            + "uri=\"/dir/index.html\", response=\"8ca523f5e9506fed4657c9700eebdbec\", "
            + "algorithm=MD5, opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\", "
            + "qop=auth, nc=00000001, "
            + "cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\""))
  }

  @Test func `the user of RFC 7616 section 3.9.2 goes hashed`() throws {
    let vector = try Self.vector("rfc7616-3.9.2-erratum4897")
    let field = try Self.answer(vector, algorithm: "SHA-512-256", hashesUser: true).field.value
    let hash = try #require(vector["userhash"]?.text)
    #expect(field.hasPrefix("Digest username=\"\(hash)\", realm="))
    #expect(field.hasSuffix(", userhash=true"))
    #expect(!field.contains("username*"))
  }

  @Test func `the user of RFC 7616 section 3.9.2 goes as extended text`() throws {
    let vector = try Self.vector("rfc7616-3.9.2-erratum4897")
    let field = try Self.answer(vector, algorithm: "SHA-512-256").field.value
    let name = try #require(vector["username_star"]?.text)
    #expect(field.hasPrefix("Digest username*=\(name), realm="))
    #expect(!field.contains("username=") && !field.contains("userhash"))
  }

  /// The inputs of section 3.9.1 with a POST of `a=b`, answered with `done`, by Python's hashlib.
  @Test(arguments: [
    (
      "MD5", DigestQuality.authentication as DigestQuality?, "6f31d8ff6361bb27783b6ac62b999535",
      "9b712497bc9f91499fbcca1dfc5f09a5"
    ),
    ("MD5", .integrity, "e4ac3c00299d523b5391298c4f855c18", "63f4d0ab522eea1c57fb521987853da4"),
    ("MD5", nil, "a5bd0b50f7f25258a692c4f36270e05d", "0ce41fdcf28d7cea59b4fc9db4714a38"),
    (
      "MD5-sess", .authentication, "9e3465d402d672d7b3c6a659201e5672",
      "b9bdf5673282d64412df46ad40660539"
    ),
    (
      "MD5-sess", .integrity, "d5b92714384a575cf18158275c838f12",
      "ac389defd8cfab9bbf9e21339fc94440"
    ),
    (
      "SHA-256", .authentication,
      "b85bfcaae378db6f6d75b1706062ac3d66fec2dd3d0082d77885522866488dac",
      "86d3b25618d41854ca5039a5d7e53ff6355d5134a9b1fb088a78ac3c462195a0"
    ),
    (
      "SHA-256", .integrity, "176672e206620851b3a3441c734a317be951c64addcf827261d0455187323ab3",
      "04a316950063e04eab36604eeeaca452c4bb48f82967f5d9c2475509e9fbccc1"
    ),
    (
      "SHA-256", nil, "1d27c5c95ffad388403b5002da0025bf7e6e98925ed7fe241c1ae5b684756db3",
      "a5e56293281a7f4fa38ce4546158e549b559a3b138db8579d856e77e2cfab87c"
    ),
    (
      "SHA-256-sess", .authentication,
      "0e658dc13b25b342e9281bdff874ea276afc02b18423b0b6e6d4db12ef338586",
      "d4ad609d150eafce2281da5c3179878fdb37e6a16021272f4bed1a082f5c2324"
    ),
    (
      "SHA-256-sess", .integrity,
      "71ac396009a409bd294b547deb74a744afa1d1680d14f13a63ed1da85ec9e622",
      "793058797ce5f51ff33d415bbb725de182c72360a1d07546a7bea9b44b7b1067"
    ),
    (
      "SHA-512-256", .authentication,
      "bd4311c37b3890a2df44699789473e744efafb31f8d789781eac66741224f782",
      "c8f9593a4f49b95ce2c483cc3222ecd360a5c6ec52ca24a530b0aac18478de8c"
    ),
    (
      "SHA-512-256", .integrity,
      "f1a60e8034ad4488719b0c0550b2f28b7d7a54272e86e711bc0ecf77b76b0cf5",
      "a69ba8daad25b45e506a59f54979875076871ae30023b1f7fb6fef52eafe3311"
    ),
    (
      "SHA-512-256", nil, "1b01534af1def5493a32ffad690021295315a73c0db2d368c601b07452eded79",
      "bf02b3a75574da03a1dcee7cbbfe770c43a604a3d0410d43adbb9b97ac0e5bac"
    ),
    (
      "SHA-512-256-sess", .authentication,
      "6a367200f8f86e5ed33f8efa29ba094aa97a9c411b3a57823e11563a89748060",
      "98012a4e63fae2aea13adaa3410368ef7278c87ca0acbd3c941ca5fe3dceeb86"
    ),
    (
      "SHA-512-256-sess", .integrity,
      "274326b41c89e5c910f1fb5c77aedca28e64eeb5d1cee92066745a400bf96811",
      "a99a5dfd0179761fa4844bb340f61429a4db88005a3190b6b82ad68c109e3ba7"
    ),
  ])
  func `every algorithm is computed with every quality`(
    _ algorithm: String, _ quality: DigestQuality?, _ response: String, _ proof: String
  ) throws {
    let answer = try Self.answer(
      Self.vector("rfc7616-3.9.1"), algorithm: algorithm, quality: quality?.rawValue,
      method: "POST", body: "a=b")
    #expect(answer.response == response)
    #expect(answer.proof(body: Array("done".utf8), quality: quality) == proof)
  }
}
