internal import Gatebook
internal import GatebookCrypto

extension IdentityState {
  /// The claims of OpenID Connect Core 1.0 sections 2 and 3.1.3.6.
  func claims(of grant: Grant, _ access: String, at now: Timestamp) -> PlainJSON {
    let seconds = now.rawValue / 1_000_000
    var claims: PlainJSON = [
      "iss": .string(url), "sub": .string(settings.subject),
      "aud": .string(FakeIdentityServer.clientID), "iat": .integer(seconds),
      "exp": .integer(seconds + 300), "at_hash": .string(halfHash(of: access)),
    ]
    claims["nonce"] = grant.nonce.map { .string($0) }
    claims["acr"] = grant.contextClass.map { .string($0) }
    claims["auth_time"] = grant.authenticated.map { .integer($0) }
    return claims
  }

  /// The left half of the hash that the algorithm names; that of Ed25519 is SHA-512 (RFC 8032
  /// section 5.1).
  private func halfHash(of text: String) -> String {
    let hash = settings.algorithm == .edDSA ? HashFunction.sha512(text) : HashFunction.sha256(text)
    return Base64Text.encodeForURL(Array(hash.prefix(hash.count / 2)))
  }

  /// Content as a token that the server has signed (RFC 7515 section 7.1).
  func signed(_ content: PlainJSON) -> String {
    let header = changed(
      ["alg": .string(settings.algorithm.rawValue), "kid": .string(settings.keyID)],
      .header)
    let message = [header, content].map { Base64Text.encodeForURL(Array($0.text.utf8)) }
      .joined(separator: ".")
    var signature = signer.signature(of: Array(message.utf8), settings.algorithm)
    switch settings.signature {
    case .whole: break
    case .spoilt: signature[signature.count / 2] ^= 1
    case .missing: signature = []
    case .clientSecret:
      signature = HMAC.code(
        .sha256, key: Array(FakeIdentityServer.secret.utf8), Array(message.utf8))
    }
    return "\(message).\(Base64Text.encodeForURL(signature))"
  }

  private var signer: FakeIdentityKey {
    .server(settings.algorithm, isFirst: settings.keyID == Self.firstKeyID)
  }

  private static let firstKeyID = "fake-1"

  // MARK: The keys

  /// `GET /keys`: RFC 7517 section 5.
  mutating func publishedKeys() -> PlainJSON {
    var keys = settings.otherKeys.map { other($0) }
    if settings.staleKeyAnswers > 0 {
      settings.staleKeyAnswers -= 1
      let former = FakeIdentityKey.server(settings.algorithm, isFirst: true)
      keys.append(former.jwk(Self.firstKeyID, settings.algorithm))
    } else {
      keys.append(changed(signer.jwk(settings.keyID, settings.algorithm), .key))
    }
    return ["keys": .array(settings.padsKeys ? keys.map(Self.padded) : keys)]
  }

  /// A key whose numbers are padded.
  private static func padded(_ key: PlainJSON) -> PlainJSON {
    ["n", "e", "x", "y"].reduce(into: key) { key, name in
      guard let text = key[name]?.string else { return }
      key[name] = .string(text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
  }

  private func other(_ key: FakeIdentitySettings.OtherKey) -> PlainJSON {
    let algorithm = settings.algorithm
    let isFirst = settings.keyID != Self.firstKeyID
    var twin = FakeIdentityKey.server(algorithm, isFirst: isFirst).jwk("twin", algorithm)
    switch key {
    case .twin: return twin
    case .otherAlgorithm:
      let other = algorithm == .es256 ? FakeIdentitySettings.Algorithm.rs256 : .es256
      return FakeIdentityKey.server(other, isFirst: true).jwk("other", other)
    case .encrypting:
      twin["use"] = "enc"
      twin["alg"] = "RSA-OAEP"
      return twin
    case .unknown:
      return ["kty": "AKP", "kid": "new", "pub": "AAAA"]
    case .broken: return ["kty": "RSA", "kid": "broken"]
    case .same: return changed(signer.jwk(settings.keyID, algorithm), .key)
    }
  }
}
