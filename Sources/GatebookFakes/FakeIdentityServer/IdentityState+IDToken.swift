internal import Gatebook

extension IdentityState {
  /// The claims of OpenID Connect Core 1.0 sections 2 and 3.1.3.6.
  func claims(of grant: Grant, _ access: String, at now: Timestamp) -> PlainJSON {
    let seconds = now.rawValue / 1_000_000
    var members: [PlainJSON.Member] = [
      PlainJSON.Member(name: "iss", value: .string(url)),
      PlainJSON.Member(name: "sub", value: .string(settings.subject)),
      PlainJSON.Member(name: "aud", value: .string(FakeIdentityServer.clientID)),
      PlainJSON.Member(name: "iat", value: .integer(seconds)),
      PlainJSON.Member(name: "exp", value: .integer(seconds + 300)),
      PlainJSON.Member(name: "at_hash", value: .string(halfHash(of: access))),
    ]
    if let nonce = grant.nonce {
      members.append(PlainJSON.Member(name: "nonce", value: .string(nonce)))
    }
    if let contextClass = grant.contextClass {
      members.append(PlainJSON.Member(name: "acr", value: .string(contextClass)))
    }
    if let authenticated = grant.authenticated {
      members.append(PlainJSON.Member(name: "auth_time", value: .integer(authenticated)))
    }
    return .object(members)
  }

  /// The left half of the hash that the algorithm names; that of Ed25519 is SHA-512 (RFC 8032 section
  /// 5.1).
  private func halfHash(of text: String) -> String {
    let bytes = Array(text.utf8)
    let hash =
      settings.algorithm == .edDSA ? HashFunction.sha512.hash(bytes) : PlainHash.sha256(bytes)
    return Base64Text.encodeForURL(Array(hash.prefix(hash.count / 2)))
  }

  /// Content as a token that the server has signed (RFC 7515 section 7.1).
  func signed(_ content: PlainJSON) -> String {
    let header = changed(
      .named(["alg": .string(settings.algorithm.rawValue), "kid": .string(settings.keyID)]),
      .header)
    let message = [header, content].map { Base64Text.encodeForURL(Array($0.text.utf8)) }
      .joined(separator: ".")
    var signature = signer.signature(of: Array(message.utf8), settings.algorithm)
    switch settings.signature {
    case .whole: break
    case .spoilt: signature[signature.count / 2] ^= 1
    case .missing: signature = []
    case .clientSecret:
      signature = HMAC.sha256(
        key: Array(FakeIdentityServer.secret.utf8), Array(message.utf8))
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
    return .named(["keys": .array(settings.padsKeys ? keys.map(Self.padded) : keys)])
  }

  /// A key whose numbers are padded.
  private static func padded(_ key: PlainJSON) -> PlainJSON {
    guard case .object(let members) = key else { return key }
    return .object(
      members.map { member in
        guard ["n", "e", "x", "y"].contains(member.name), case .string(let text) = member.value
        else { return member }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return PlainJSON.Member(name: member.name, value: .string(text + padding))
      })
  }

  private func other(_ key: FakeIdentitySettings.OtherKey) -> PlainJSON {
    let algorithm = settings.algorithm
    let isFirst = settings.keyID != Self.firstKeyID
    let twin = FakeIdentityKey.server(algorithm, isFirst: isFirst).jwk("twin", algorithm)
    switch key {
    case .twin: return twin
    case .otherAlgorithm:
      let other = algorithm == .es256 ? FakeIdentitySettings.Algorithm.rs256 : .es256
      return FakeIdentityKey.server(other, isFirst: true).jwk("other", other)
    case .encrypting:
      guard case .object(let members) = twin else { return twin }
      let others = members.filter { $0.name != "use" && $0.name != "alg" }
      return PlainJSON.object(others).with([
        PlainJSON.Member(name: "use", value: .string("enc")),
        PlainJSON.Member(name: "alg", value: .string("RSA-OAEP")),
      ])
    case .unknown:
      return .named(["kty": .string("AKP"), "kid": .string("new"), "pub": .string("AAAA")])
    case .broken: return .named(["kty": .string("RSA"), "kid": .string("broken")])
    case .same: return changed(signer.jwk(settings.keyID, algorithm), .key)
    }
  }
}
