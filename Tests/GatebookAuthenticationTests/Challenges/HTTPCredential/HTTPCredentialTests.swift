internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct HTTPCredentialTests {
  private static let password = HTTPCredential(user: "ada", .password(Secret("rabbit")))

  @Test(arguments: DigestHash.allCases)
  func `a session keeps what answers its realm, and nothing weaker`(_ hash: DigestHash) throws {
    let kept = Self.password.kept(realm: "r", from: hash)
    for other in DigestHash.allCases {
      for realm in ["r", "R", ""] {
        let challenge = try Self.challenge(realm: realm, algorithm: other.name)
        let key = kept.key(for: challenge)
        let isKept = other >= hash && realm == "r"
        #expect(key == (isKept ? Self.password.key(for: challenge) : nil))
      }
    }
    #expect(kept.basicField == nil)
    #expect(kept.kept(realm: "other", from: .md5) == kept)
  }

  @Test(arguments: [
    ("r", "146c87dec7ae71cacd4778b4643e1845"), ("s", "fde2df039649d6e64f816933e1ac12a9"),
  ])
  func `a password answers every realm`(_ realm: String, _ digits: String) throws {
    let key = Self.password.key(for: try Self.challenge(realm: realm, algorithm: "MD5"))
    #expect(key?.digits == Secret(digits))
    #expect(Self.password.basicField?.value == "Basic YWRhOnJhYmJpdA==")
  }

  private static func challenge(realm: String, algorithm: String) throws -> DigestChallenge {
    let challenge = AuthenticationChallenge(
      "digest",
      parameters: [
        .init("realm", realm), .init("nonce", "n"), .init("algorithm", algorithm),
      ])
    return try #require(DigestChallenge(challenge))
  }

  @Test func `what the vault keeps is read back`() throws {
    for credential in [Self.password, Self.password.kept(realm: "rä", from: .md5)] {
      let record = try #require(Facts(decoding: credential.record.encoded))
      #expect(HTTPCredential(record: record) == credential)
    }
  }

  @Test func `the vault keeps no password where keys will do`() {
    let record = Self.password.kept(realm: "r", from: .sha256).record
    #expect(!String(decoding: record.encoded, as: UTF8.self).contains("rabbit"))
    #expect(record.names == ["keys", "user"])
    #expect(record["keys"]?.list?.count == 2)
  }

  @Test(
    arguments: [
      [:], ["user": "ada"], ["password": "rabbit"], ["user": "ada", "password": 1],
      ["user": "ada", "keys": .list([])], ["user": "ada", "keys": .list(["x"])],
      ["user": "ada", "password": "rabbit", "keys": .list([.object(key)])],
      ["keys": .list([.object(key)])],
    ] as [Facts])
  func `any other record is none`(_ record: Facts) {
    #expect(HTTPCredential(record: record) == nil)
  }

  private static let key: Facts = [
    "algorithm": "MD5", "ha1": "0123456789abcdef0123456789abcdef", "realm": "r",
  ]

  @Test(
    arguments: [
      ("algorithm", nil), ("algorithm", "MD4"), ("algorithm", "MD5-sess"), ("algorithm", "SHA-256"),
      ("ha1", nil), ("ha1", "00"), ("ha1", "g123456789abcdef0123456789abcdef"), ("realm", nil),
    ] as [(String, FactValue?)])
  func `a damaged key spoils the record`(_ name: String, _ value: FactValue?) {
    var damaged = Self.key
    damaged[name] = value
    #expect(HTTPCredential(record: ["user": "ada", "keys": .list([.object(Self.key)])]) != nil)
    let keys: [FactValue] = [.object(Self.key), .object(damaged)]
    #expect(HTTPCredential(record: ["user": "ada", "keys": .list(keys)]) == nil)
  }

  @Test func `nothing that is printed tells a password or a key`() throws {
    let key = try #require(
      Self.password.key(for: try Self.challenge(realm: "r", algorithm: "MD5")))
    let digits = key.digits.withBytes { String(decoding: $0, as: UTF8.self) }
    for credential in [Self.password, Self.password.kept(realm: "r", from: .md5)] {
      let text = String(describing: credential) + String(reflecting: credential)
      #expect(!text.contains("rabbit") && !text.contains(digits))
    }
  }
}
