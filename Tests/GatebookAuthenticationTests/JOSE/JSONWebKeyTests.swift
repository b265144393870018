internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct JSONWebKeyTests {
  private let fixture: TokenFixture

  init() throws {
    fixture = try TokenFixture()
  }

  @Test(arguments: ["rsa", "weak", "p256", "p384", "p521", "ed"])
  func `a key has the thumbprint that another program computed`(_ name: String) throws {
    #expect(try fixture.key(name).thumbprint == fixture.thumbprint(name))
  }

  @Test
  func `a key of DPoP has the thumbprint of RFC 9449`() throws {
    let members: Facts = [
      "kty": "EC", "crv": "P-256", "x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
      "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA",
    ]
    let key = try #require(JSONWebKey(members))
    #expect(key.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
  }

  @Test(
    arguments: [
      ("rsa", ["kty": "oct"]), ("rsa", ["kty": "rsa"]), ("rsa", ["kty": nil]), ("rsa", ["kty": 1]),
      ("rsa", ["n": nil]), ("rsa", ["e": nil]), ("rsa", ["e": "AQAB="]), ("rsa", ["e": "AQ AB"]),
      ("rsa", ["e": "AQ"]), ("rsa", ["n": "AQAB"]), ("rsa", ["kid": 1]), ("rsa", ["use": 1]),
      ("rsa", ["alg": .list(["RS256"])]), ("rsa", ["key_ops": "verify"]),
      ("rsa", ["key_ops": .list([1])]),
      ("p256", ["crv": "P-384"]), ("p256", ["crv": "secp256k1"]), ("p256", ["crv": nil]),
      ("p256", ["x": nil]), ("p256", ["y": nil]), ("p256", ["y": "AQAB"]),
      // Not on the curve; a coordinate without its leading zero; the point at infinity.
      ("p256", ["y": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"]),
      ("p256", ["x": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]),
      (
        "p256",
        [
          "x": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
          "y": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        ]
      ),
      ("ed", ["crv": "Ed448"]), ("ed", ["crv": "X25519"]), ("ed", ["x": "AQAB"]),
    ] as [(String, [String: FactValue?])])
  func `a key that cannot be used is none`(
    _ name: String, _ changes: [String: FactValue?]
  ) throws {
    var members = try fixture.members(name)
    for (name, value) in changes { members[name] = value }
    #expect(JSONWebKey(members) == nil)
  }

  @Test(arguments: [("rsa", "n", "="), ("rsa", "n", "=="), ("p256", "x", "="), ("ed", "x", "=")])
  func `a number with padding is read, where the padding is right`(
    _ key: String, _ name: String, _ padding: String
  ) throws {
    var members = try fixture.members(key)
    let number = try #require(members[name]?.text)
    members[name] = .text(number + padding)
    let isRight = (number + padding).utf8.count.isMultiple(of: 4)
    #expect((JSONWebKey(members)?.thumbprint == (try fixture.key(key).thumbprint)) == isRight)
    members[name] = .text("=" + number)
    #expect(JSONWebKey(members) == nil)
  }

  @Test
  func `a number with a zero in front is the same key`() throws {
    var members = try fixture.members("rsa")
    let modulus = try #require(members["n"]?.text.flatMap { Base64URL.decode($0) })
    members["n"] = .text(Base64URL.encode([0] + modulus))
    #expect(JSONWebKey(members)?.thumbprint == (try fixture.key("rsa").thumbprint))
  }

  @Test
  func `private members and members that are null or unknown do not matter`() throws {
    let plain = try fixture.key("p256")
    let members: Facts = [
      "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI", "use": .null, "alg": .null,
      "key_ops": .null, "x5c": .list(["MIIB"]), "nbf": 1,
    ]
    #expect(try fixture.key("p256", members) == plain)
  }

  private static let fits: [(String, Facts, SignatureAlgorithm, Bool)] = [
    ("rsa", [:], .rs256, true), ("rsa", [:], .ps512, true), ("rsa", [:], .es256, false),
    ("rsa", [:], .edDSA, false), ("p256", [:], .es256, true), ("p256", [:], .es384, false),
    ("p384", [:], .es384, true), ("p384", [:], .es256, false), ("p521", [:], .es512, true),
    ("p521", [:], .es384, false), ("p256", [:], .rs256, false), ("ed", [:], .edDSA, true),
    ("ed", [:], .es256, false), ("rsa", ["use": "sig"], .rs256, true),
    ("rsa", ["use": "enc"], .rs256, false), ("rsa", ["use": "SIG"], .rs256, false),
    ("rsa", ["key_ops": .list(["sign", "verify"])], .rs256, true),
    ("rsa", ["key_ops": .list(["encrypt"])], .rs256, false),
    ("rsa", ["key_ops": .list([])], .rs256, false),
    ("rsa", ["alg": "RS256"], .rs256, true), ("rsa", ["alg": "RS256"], .rs384, false),
    ("rsa", ["alg": "RSA-OAEP"], .rs256, false),
  ]

  @Test(arguments: fits.indices)
  func `a key fits what it was made for`(_ index: Int) throws {
    let (name, changes, algorithm, isFit) = Self.fits[index]
    #expect(try fixture.key(name, changes).fits(algorithm) == isFit)
  }

  @Test
  func `an RSA key below 2048 bits is weak and verifies nothing`() throws {
    #expect(try fixture.key("weak").isWeak)
    #expect(try !fixture.key("rsa").isWeak)
    #expect(try !fixture.key("p256").isWeak)
    let parts = try fixture.refused("weak").split(separator: ".")
    let signature = try #require(parts.last.flatMap { Base64URL.decode($0) })
    let signed = Array(parts.dropLast().joined(separator: ".").utf8)
    #expect(try !fixture.key("weak").verify(signature, of: signed, by: .rs256))
  }
}
