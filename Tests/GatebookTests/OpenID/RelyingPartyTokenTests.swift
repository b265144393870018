import Gatebook
import GatebookFakes
import Testing

/// What the public conformance tests for relying parties ask of ID tokens, with a whole login each
/// (OpenID Connect Core 1.0 section 3.1.3.7).
@Suite struct RelyingPartyTokenTests {
  private typealias Row = RelyingPartyRow

  /// The tests' clock says this, in seconds.
  private static let now = 1_767_323_045
  private static let client = FakeIdentityServer.clientID

  private static let claims: [RelyingPartyRow] = [
    Row("as it should be", .loggedIn, .claims, [:]),
    Row("iss wrong", .refused("iss"), .claims, ["iss": #""https://other.example""#]),
    Row("sub missing", .refused("sub missing"), .claims, ["sub": nil]),
    Row("iat missing", .refused("iat missing"), .claims, ["iat": nil]),
    Row("exp missing", .refused("exp missing"), .claims, ["exp": nil]),
    Row("aud missing", .refused("aud"), .claims, ["aud": nil]),
    Row("aud wrong", .refused("aud"), .claims, ["aud": #""other""#]),
    Row("aud a list of one", .loggedIn, .claims, ["aud": "[\"\(client)\"]"]),
    Row("aud a list of others", .refused("aud"), .claims, ["aud": #"["other","more"]"#]),
    Row(
      "aud of two, without azp", .refused("aud untrusted; it names other"), .claims, ["aud": both]),
    Row(
      "aud of two, with azp", .refused("aud untrusted; it names other"), .claims,
      ["aud": both, "azp": "\"\(client)\""]),
    Row("auth_time a text", .loggedIn, .claims, ["auth_time": "\"\(now)\""]),
    Row("azp beside the one aud", .loggedIn, .claims, ["azp": "\"\(client)\""]),
    Row("azp of another", .refused("azp"), .claims, ["azp": #""other""#]),
    Row("exp past", .refused("exp"), .claims, ["exp": "\(now - 60)"]),
    Row("exp past within the skew", .loggedIn, .claims, ["exp": "\(now - 59)"]),
    Row("exp with a fraction", .loggedIn, .claims, ["exp": "\(now + 60).25"]),
    Row("exp a text", .refused("exp malformed"), .claims, ["exp": "\"\(now + 60)\""]),
    Row("iat far ahead", .refused("iat in the future"), .claims, ["iat": "\(now + 86_400)"]),
    Row("iat long ago", .loggedIn, .claims, ["iat": "\(now - 86_400)"]),
    Row("nbf ahead", .refused("nbf"), .claims, ["nbf": "\(now + 3600)"]),
    Row("nonce missing", .refused("nonce missing"), .claims, ["nonce": nil]),
    Row("nonce wrong", .refused("nonce"), .claims, ["nonce": #""another""#]),
    Row("at_hash wrong", .refused("at_hash"), .claims, ["at_hash": #""77QmUPtjPfzWtF2AnpK9RQ""#]),
    Row("at_hash missing", .loggedIn, .claims, ["at_hash": nil]),
    Row("c_hash wrong", .refused("c_hash"), .claims, ["c_hash": #""LDktKdoQak3Pk0cnXxCltA""#]),
    Row("extra claims", .loggedIn, .claims, ["x": #"{"y":[1,null]}"#, "events": "{}"]),
    Row(
      "claims of other sources", .loggedIn, .claims, ["_claim_names": "{}", "_claim_sources": "{}"]),
  ]
  private static let both = "[\"\(client)\",\"other\"]"

  private static let signatures: [RelyingPartyRow] =
    [
      Row("alg none", .failed(.contentUnexpected, "JWT alg.none")) {
        $0.changes[.header] = ["alg": #""none""#, "kid": nil]
        $0.signature = .missing
      },
      Row("alg none in capitals", .failed(.contentUnexpected, "JWT alg.none")) {
        $0.changes[.header] = ["alg": #""NONE""#]
        $0.signature = .missing
      },
      Row("alg HS256", .failed(.configurationInvalid, "JWT alg"), .header, ["alg": #""HS256""#]),
      Row("alg HS256 and none of a key", .failed(.configurationInvalid, "JWT alg")) {
        $0.changes[.header] = ["alg": #""HS256""#, "kid": nil]
        $0.signature = .clientSecret
      },
      Row("alg another one of the key", .failed(.contentUnexpected, "JWT key.use")) {
        $0.algorithm = .ps256
        $0.changes[.header] = ["alg": #""RS256""#]
      },
      Row("no signature", .failed(.contentUnexpected, "JWT signature")) {
        $0.signature = .missing
      },
      Row("a crit", .failed(.contentUnexpected, "JWT crit"), .header, ["crit": #"["b64"]"#]),
      Row("a key of its own", .loggedIn, .header, ["jwk": "{}", "jku": #""https://x.example""#]),
      Row("typ JWT", .loggedIn, .header, ["typ": #""JWT""#]),
    ]
    + FakeIdentitySettings.Algorithm.allCases.flatMap { algorithm in
      let isUsual = algorithm == .rs256
      return [
        signed(by: algorithm, .loggedIn, [algorithm.rawValue]) { _ in },
        signed(by: algorithm, .failed(.contentUnexpected, "JWT signature"), [algorithm.rawValue]) {
          $0.signature = .spoilt
        },
        signed(
          by: algorithm, isUsual ? .loggedIn : .failed(.configurationInvalid, "JWT alg"), ["RS256"]
        ) { _ in },
      ]
    }

  /// RFC 9864 section 2.2 gives EdDSA with Ed25519 a name of its own.
  @Test(arguments: ["EdDSA", "Ed25519"], ["EdDSA", "Ed25519"])
  func `Ed25519 and EdDSA are one`(_ written: String, _ allowed: String) async throws {
    let party = try await RelyingParty {
      $0.algorithm = .edDSA
      for place in [FakeIdentitySettings.Place.header, .key] {
        $0.changes[place] = ["alg": "\"\(written)\""]
      }
    }
    let application = RelyingParty.application(signed: [allowed])
    #expect(try await party.logIn(application).get().state == .active)
  }

  private static func signed(
    by algorithm: FakeIdentitySettings.Algorithm, _ ending: Row.Ending, _ allowed: Set<String>,
    _ change: @escaping Row.Change
  ) -> RelyingPartyRow {
    var row = Row("\(algorithm.rawValue), allowed \(allowed): \(ending)", ending) {
      $0.algorithm = algorithm
      change(&$0)
    }
    row.signed = allowed
    return row
  }

  private static let unknown = Row.Ending.failed(.contentUnexpected, "JWT kid")
  private static let keys: [RelyingPartyRow] = [
    Row("kid absent, one key", .loggedIn, .header, ["kid": nil]),
    Row("kid absent, one key fits", .loggedIn) {
      $0.changes[.header] = ["kid": nil]
      $0.otherKeys = [.otherAlgorithm, .encrypting, .unknown, .broken]
    },
    Row("kid absent, two keys fit", unknown) {
      $0.changes[.header] = ["kid": nil]
      $0.otherKeys = [.twin]
    },
    Row("kid absent, the other key's alg is not said", unknown) {
      $0.changes[.header] = ["kid": nil]
      $0.changes[.key] = ["alg": nil, "use": nil]
      $0.otherKeys = [.twin]
    },
    Row("kid absent, the key has none either", .loggedIn) {
      $0.changes[.header] = ["kid": nil]
      $0.changes[.key] = ["kid": nil]
    },
    Row("kid given, all kinds of keys beside", .loggedIn) {
      $0.otherKeys = FakeIdentitySettings.OtherKey.allCases
    },
    Row("kid of another key", .failed(.contentUnexpected, "JWT signature")) {
      $0.changes[.header] = ["kid": #""twin""#]
      $0.otherKeys = [.twin]
    },
    Row("kid of a key for encryption", .failed(.contentUnexpected, "JWT key.use")) {
      $0.changes[.key] = ["use": #""enc""#]
    },
    Row(
      "a key with a certificate, and more", .loggedIn, .key,
      [
        "x5c": #"["MIIB"]"#, "x5t": #""x""#, "x5u": #""https://x.example""#, "exp": "1",
        "more": "{}",
      ]),
    Row("a number of the key with padding", .loggedIn) { $0.padsKeys = true },
    Row("the key twice", .loggedIn) { $0.otherKeys = [.same] },
    Row("the key twice, kid absent", .loggedIn) {
      $0.changes[.header] = ["kid": nil]
      $0.otherKeys = [.same, .same]
    },
    Row("a key with key_ops", .loggedIn, .key, ["use": nil, "key_ops": #"["verify"]"#]),
    Row("a new key that is there at the second look", .loggedIn) {
      $0.keyID = "fake-2"
      $0.staleKeyAnswers = 1
    },
    Row("a new key that is never there", unknown) {
      $0.keyID = "fake-2"
      $0.staleKeyAnswers = .max
    },
  ]

  @Test(arguments: claims)
  func `an ID token's claims decide`(_ row: RelyingPartyRow) async throws {
    try await row.play()
  }

  @Test(arguments: signatures)
  func `an ID token's signature decides`(_ row: RelyingPartyRow) async throws {
    try await row.play()
  }

  @Test(arguments: keys)
  func `the provider's keys decide`(_ row: RelyingPartyRow) async throws {
    let party = try await row.play().party
    #expect((1...2).contains(party.count("/keys")), "once more is enough")
  }

  /// OpenID Connect Core 1.0 with errata set 2 does not demand `azp`.
  @Test(arguments: [nil, "\"\(client)\"", "null"] as [String?])
  func `whom the application trusts beside itself may be among the audiences`(
    _ authorized: String?
  ) async throws {
    let party = try await RelyingParty {
      $0.changes[.claims] = ["aud": Self.both, "azp": authorized]
    }
    var application = RelyingParty.application()
    application.trustedAudiences = ["other"]
    #expect(try await party.logIn(application).get().state == .active)
  }

  /// A client without a secret of its own would be taken in by its id, and a public key by anybody.
  @Test func `an ID token signed with the client's secret says what to register`() async throws {
    let party = try await RelyingParty {
      $0.changes[.header] = ["alg": #""HS256""#, "kid": nil]
      $0.signature = .clientSecret
      $0.clientProof = .basic
    }
    let application = RelyingParty.application(.basic(Secret(FakeIdentityServer.secret)))
    guard case .failure(let error) = try await party.logIn(application) else {
      Issue.record("It was taken.")
      return
    }
    #expect(error.code == .configurationInvalid)
    #expect(error.message == "The server signs its tokens with HS256, which is not supported.")
    #expect(error.remedy.hasPrefix("Register the client for RS256"), "\(error)")
    #expect(try await party.book.accounts().isEmpty)
    var allowing = application
    allowing.tokenAlgorithms = ["HS256"]
    guard case .failure(let unknown) = try await party.logIn(allowing) else {
      Issue.record("It was allowed.")
      return
    }
    #expect(unknown.code == .configurationInvalid)
    #expect(unknown.message.contains("tokenAlgorithms"), "\(unknown)")
  }

  @Test func `a provider that has other keys at the next login is no stranger`() async throws {
    let party = try await RelyingParty()
    let first = try await party.logIn().get()
    party.server.settings.keyID = "fake-2"
    let second = try await party.logIn().get()
    #expect(second.account == first.account)
    #expect(party.count("/keys") == 2)
  }
}
