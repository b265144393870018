internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// Signatures that another program made, and the printed ones of RFC 7515 and RFC 8037.
struct SignatureAlgorithmTests {
  private let fixture: TokenFixture

  init() throws {
    fixture = try TokenFixture()
  }

  private static func vector(_ name: String) throws -> FactValue {
    try #require(Fixture.read(PackageResources.rfc_vectors_json).object?[name])
  }

  @Test(arguments: SignatureAlgorithm.allCases)
  func `another program's signature is verified`(_ algorithm: SignatureAlgorithm) throws {
    let token = try UnverifiedToken(fixture.token(algorithm))
    let verified = try token.verified(by: fixture.keys, allowing: [algorithm])
    #expect(verified.algorithm == algorithm)
    #expect(verified.claims.facts["sub"] == "248289761001")
  }

  @Test(arguments: SignatureAlgorithm.allCases)
  func `an algorithm that is not allowed is refused`(_ algorithm: SignatureAlgorithm) throws {
    let token = try UnverifiedToken(fixture.token(algorithm))
    let others = Set(SignatureAlgorithm.allCases).subtracting([algorithm])
    #expect(throws: JSONWebTokenRefusal.algorithm) {
      try token.verified(by: fixture.keys, allowing: others)
    }
  }

  @Test(arguments: SignatureAlgorithm.allCases)
  func `one changed character anywhere refuses`(_ algorithm: SignatureAlgorithm) throws {
    let text = Array(try fixture.token(algorithm).utf8)
    let keys = try fixture.keys
    for index in stride(from: 0, to: text.count, by: 11) {
      var changed = text
      changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(throws: JSONWebTokenRefusal.self) {
        try UnverifiedToken(String(decoding: changed, as: UTF8.self))
          .verified(by: keys, allowing: Set(SignatureAlgorithm.allCases))
      }
    }
  }

  @Test(arguments: [
    ("otherKey", JSONWebTokenRefusal.signature), ("keyInHeader", .signature),
    ("der", .signature), ("shortSalt", .signature), ("otherMask", .signature),
    ("pkcs1AsPSS", .signature), ("pssAsPKCS1", .signature), ("otherHash", .signature),
    ("otherCurve", .keyUnfit), ("weak", .weakKey), ("stranger", .unknownKey),
    ("hmacWithPublicKey", .algorithm),
  ])
  func `a signature of another kind is refused`(
    _ name: String, _ refusal: JSONWebTokenRefusal
  ) throws {
    let token = try UnverifiedToken(fixture.refused(name))
    #expect(throws: refusal) {
      try token.verified(by: fixture.keys, allowing: Set(SignatureAlgorithm.allCases))
    }
  }

  @Test
  func `the ES256 token of RFC 7515 appendix A is verified`() throws {
    let vector = try #require(Self.vector("rfc7515-A.3").object)
    let key = try #require(vector["jwk"]?.object.flatMap { JSONWebKey($0) })
    let token = try UnverifiedToken(try #require(vector["jws"]?.text))
    let verified = try token.verified(by: JSONWebKeySet([key]), allowing: [.es256])
    #expect(verified.claims.facts["iss"] == "joe")
  }

  @Test
  func `the HMAC and the unsigned token of RFC 7515 appendix A are refused`() throws {
    let keys = try fixture.keys
    let hmac = try #require(Self.vector("rfc7515-A.1").object?["jws"]?.text)
    #expect(throws: JSONWebTokenRefusal.algorithm) {
      try UnverifiedToken(hmac).verified(by: keys, allowing: Set(SignatureAlgorithm.allCases))
    }
    let none = try #require(Self.vector("rfc7515-A.5-none").text)
    #expect(throws: JSONWebTokenRefusal.unsigned) {
      try UnverifiedToken(none).verified(by: keys, allowing: Set(SignatureAlgorithm.allCases))
    }
  }

  @Test
  func `the EdDSA signature of RFC 8037 appendix A is verified`() throws {
    let members: Facts = [
      "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    ]
    let key = try #require(JSONWebKey(members))
    let message = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
    let signature = try #require(
      Base64URL.decode(
        "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"))
    #expect(key.verify(signature, of: Array(message.utf8), by: .edDSA))
    #expect(!key.verify(signature, of: Array(message.utf8), by: .rs256))
    #expect(key.thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
  }

  @Test(arguments: [
    ("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", "77QmUPtjPfzWtF2AnpK9RQ"),
    (
      "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", "LDktKdoQak3Pk0cnXxCltA"
    ),
  ])
  func `the half hash is that of the standard`(_ value: String, _ hash: String) {
    for algorithm in [SignatureAlgorithm.rs256, .ps256, .es256] {
      #expect(algorithm.isHalfHash(hash, of: Secret(value)))
      #expect(!algorithm.isHalfHash(hash, of: Secret(value + "x")))
    }
    #expect(!SignatureAlgorithm.rs512.isHalfHash(hash, of: Secret(value)))
  }

  @Test(arguments: [
    ("q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM", true),
    ("77QmUPtjPfzWtF2AnpK9RQ", true), ("LDktKdoQak3Pk0cnXxCltA", false), ("", false),
  ])
  func `the half hash beside EdDSA is that of SHA-512 or of SHA-256`(
    _ hash: String, _ isTaken: Bool
  ) {
    let value = Secret("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
    #expect(SignatureAlgorithm.edDSA.isHalfHash(hash, of: value) == isTaken)
  }

  @Test(arguments: [
    ("Ed25519", nil), ("EdDSA", nil), ("Ed448", JSONWebTokenRefusal.algorithm),
    ("ed25519", .algorithm), ("ES256", .algorithm),
  ])
  func `Ed25519 is EdDSA under its newer name`(
    _ name: String, _ refusal: JSONWebTokenRefusal?
  ) throws {
    let mint = try TokenMint()
    let token = try UnverifiedToken(
      mint.token("{}", header: "{\"alg\":\"\(name)\",\"kid\":\"mint\"}"))
    for algorithm in [nil, "EdDSA", "Ed25519"] {
      let keys = JSONWebKeySet(
        mint.keys.keys.map { JSONWebKey($0.material, id: $0.id, algorithm: algorithm) })
      let found = Result { () throws(JSONWebTokenRefusal) in
        try token.verified(by: keys, allowing: [.edDSA]).algorithm
      }
      #expect(found == (refusal.map { .failure($0) } ?? .success(.edDSA)))
    }
  }
}
