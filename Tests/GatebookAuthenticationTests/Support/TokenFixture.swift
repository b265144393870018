import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

/// Keys and tokens that another program made (`jose-tokens.json`).
struct TokenFixture {
  private let facts: Facts

  init() throws {
    facts = try #require(Fixture.read(PackageResources.jose_tokens_json).object)
  }

  /// The access token and the code that the tokens carry hashes of.
  var accessToken: Secret { get throws { Secret(try #require(facts["accessToken"]?.text)) } }
  var code: Secret { get throws { Secret(try #require(facts["code"]?.text)) } }

  /// A userinfo answer that is signed.
  var userInfo: String { get throws { try #require(facts["userInfo"]?.text) } }

  /// The members of a key, with some replaced.
  func members(_ name: String, _ changes: Facts = [:]) throws -> Facts {
    var members = try #require(facts["keys"]?.object?[name]?.object)
    for name in changes.names { members[name] = changes[name] }
    return members
  }

  func key(_ name: String, _ changes: Facts = [:]) throws -> JSONWebKey {
    try #require(JSONWebKey(members(name, changes)))
  }

  func thumbprint(_ name: String) throws -> String {
    try #require(facts["thumbprints"]?.object?[name]?.text)
  }

  /// A token that holds, by its algorithm.
  func token(_ algorithm: SignatureAlgorithm) throws -> String {
    try #require(facts["tokens"]?.object?[algorithm.rawValue]?.text)
  }

  /// A token that must be refused, or that names no key.
  func refused(_ name: String) throws -> String {
    try #require(facts["refused"]?.object?[name]?.text)
  }

  /// Every key of the fixture.
  var keys: JSONWebKeySet {
    get throws {
      JSONWebKeySet(
        try ["rsa", "weak", "other", "p256", "p384", "p521", "ed"].map { try key($0) })
    }
  }
}

extension JSONWebKey {
  /// The key's thumbprint: base64url of SHA-256 (RFC 7638 section 3, RFC 8037 section 2).
  var thumbprint: String {
    switch material {
    case .rsa(let key): return key.thumbprint
    case .elliptic(let key): return key.thumbprint
    case .ed25519(let key):
      let members: Facts = [
        "crv": "Ed25519", "kty": "OKP", "x": .text(Base64URL.encode(key)),
      ]
      return Base64URL.encode(HashFunction.sha256.hash(members.encoded))
    }
  }
}
