internal import GatebookAuthentication
internal import Testing

/// One row for each rule about the parameters of a Digest challenge (RFC 7616 section 3.3).
struct DigestChallengeTests {
  private static func read(_ parameters: String) -> DigestChallenge? {
    ChallengeList.parse(["Digest \(parameters)"]).first.flatMap { DigestChallenge($0) }
  }

  @Test func `an old server's challenge has defaults for all it leaves out`() throws {
    let challenge = try #require(Self.read("realm=\"a b\", nonce=\"n\""))
    #expect(challenge.realm == "a b")
    #expect(challenge.nonce == "n")
    #expect(challenge.algorithm == DigestAlgorithm(.md5))
    #expect(challenge.algorithmText == nil)
    #expect(challenge.qualities.isEmpty)
    #expect(challenge.quality == nil)
    #expect(challenge.opaque == nil)
    #expect(challenge.domain.isEmpty)
    #expect(!challenge.isStale)
    #expect(!challenge.hashesUser)
  }

  @Test(arguments: [
    "realm=\"r\"", "nonce=\"n\"", "realm=\"r\", nonce=\"\"",
    "realm=\"r\", nonce=\"n\", algorithm=SHA-1", "realm=\"r\", nonce=\"n\", algorithm=\"\"",
    "realm=\"r\", nonce=\"n\", algorithm=SHA-512", "realm=\"r\", nonce=\"n\", algorithm=MD5-ses",
    "realm=\"r\", nonce=\"n\", algorithm=SHA-512-256-sess",
    "realm=\"r\", nonce=\"n\", algorithm=MD5-sess", "realm=\"r\", nonce=\"n\", qop=\"\"",
    "realm=\"r\", nonce=\"n\", qop=\"auth-conf\"", "realm=\"r\", nonce=\"n\", qop=\",\"",
    "realm=\"r\", nonce=\"n\", qop=\"author\"", "realm=\"r\", nonce=\"n\", nonce=\"n\"",
  ])
  func `what cannot be answered is no challenge`(_ parameters: String) {
    #expect(Self.read(parameters) == nil)
  }

  @Test(arguments: ["basic", "digests", "bearer"])
  func `another scheme is no Digest`(_ scheme: String) {
    let challenge = AuthenticationChallenge(
      scheme, parameters: [.init("realm", "r"), .init("nonce", "n")])
    #expect(DigestChallenge(challenge) == nil)
  }

  @Test(arguments: [
    ("MD5", DigestAlgorithm(.md5)), ("md5", DigestAlgorithm(.md5)),
    ("MD5-sess", DigestAlgorithm(.md5, isSession: true)),
    ("SHA-256", DigestAlgorithm(.sha256)), ("sha-256", DigestAlgorithm(.sha256)),
    ("SHA-256-SESS", DigestAlgorithm(.sha256, isSession: true)),
    ("SHA-512-256", DigestAlgorithm(.sha512Over256)),
    ("SHA-512-256-sess", DigestAlgorithm(.sha512Over256, isSession: true)),
  ])
  func `algorithms are known with and without quotes, in any case`(
    _ name: String, _ algorithm: DigestAlgorithm
  ) throws {
    for text in [name, "\"\(name)\""] {
      let challenge = try #require(
        Self.read("realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=\(text)"))
      #expect(challenge.algorithm == algorithm)
      #expect(challenge.algorithmText == name)
    }
  }

  @Test(arguments: [
    ("\"auth\"", [DigestQuality.authentication], DigestQuality.authentication),
    ("auth", [.authentication], .authentication),
    ("\"AUTH\"", [.authentication], .authentication),
    ("\"auth,auth-int\"", [.authentication, .integrity], .authentication),
    ("\"auth-int, auth\"", [.integrity, .authentication], .authentication),
    ("\"auth-int\"", [.integrity], .integrity),
    ("\"auth-conf , auth-int\"", [.integrity], .integrity),
    ("\"token,,auth\"", [.authentication], .authentication),
  ])
  func `the body is protected only where the server insists`(
    _ text: String, _ qualities: [DigestQuality], _ quality: DigestQuality
  ) throws {
    let challenge = try #require(Self.read("realm=\"r\", nonce=\"n\", qop=\(text)"))
    #expect(challenge.qualities == qualities)
    #expect(challenge.quality == quality)
  }

  @Test(arguments: [
    ("true", true), ("TRUE", true), ("\"true\"", true), ("false", false), ("yes", false),
    ("\"\"", false), ("1", false),
  ])
  func `stale and userhash are true or nothing`(_ text: String, _ value: Bool) throws {
    let challenge = try #require(
      Self.read("realm=\"r\", nonce=\"n\", stale=\(text), userhash=\(text)"))
    #expect(challenge.isStale == value)
    #expect(challenge.hashesUser == value)
  }

  @Test(arguments: ["", ", charset=UTF-8", ", charset=\"utf-8\"", ", charset=\"ISO-8859-1\""])
  func `no charset changes how text is hashed`(_ charset: String) throws {
    let challenge = try #require(Self.read("realm=\"ü\", nonce=\"n\"\(charset)"))
    #expect(challenge.realm == "ü")
    #expect(challenge.algorithm == DigestAlgorithm(.md5))
  }

  @Test(arguments: [
    ("\"\"", []), ("\"/\"", ["/"]), ("\"/a  /b\thttp://x.test/\"", ["/a", "/b", "http://x.test/"]),
  ])
  func `domain is a list parted by blanks`(_ text: String, _ domain: [String]) throws {
    #expect(try #require(Self.read("realm=\"r\", nonce=\"n\", domain=\(text)")).domain == domain)
  }

  @Test func `unknown parameters are ignored`() throws {
    let challenge = try #require(
      Self.read("realm=\"r\", nonce=\"n\", opaque=\"o\", x=y, comment=\"a, b\""))
    #expect(challenge.opaque == "o")
  }
}
