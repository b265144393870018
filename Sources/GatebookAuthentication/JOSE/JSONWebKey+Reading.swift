internal import GatebookCrypto
package import GatebookEvents

extension JSONWebKey {
  /// Reads the public part of a key; `nil` for one that cannot be used.
  ///
  /// RFC 7517 section 5: implementations "SHOULD ignore JWKs within a JWK Set that use "kty" (key
  /// type) values that are not understood by them, that are missing required members, or for which
  /// values are out of the supported ranges." Private members are never looked at.
  package init?(_ members: Facts) {
    // A restriction that cannot be read would otherwise be none; `null` is none.
    func value(_ name: String) -> FactValue? { members[name] == .null ? nil : members[name] }
    let named = ["kid", "use", "alg"].compactMap { value($0) }
    guard let material = Material(members), named.allSatisfy({ $0.text != nil }) else {
      return nil
    }
    let operations = value("key_ops")?.list?.compactMap(\.text)
    guard operations?.count == value("key_ops").map({ $0.list?.count ?? -1 }) else { return nil }
    self.init(
      material, id: members["kid"]?.text, use: members["use"]?.text, operations: operations,
      algorithm: members["alg"]?.text)
  }
}

extension JSONWebKey.Material {
  fileprivate init?(_ members: Facts) {
    func bytes(_ name: String) -> [UInt8]? {
      members[name]?.text.flatMap { Base64URL.decode(Self.withoutPadding($0)) }
    }
    switch members["kty"]?.text {
    case "RSA":
      guard let modulus = bytes("n"), let exponent = bytes("e"),
        let key = RSAPublicKey(modulus: modulus, exponent: exponent)
      else { return nil }
      self = .rsa(key)
    case "EC":
      guard let curve = members["crv"]?.text.flatMap(EllipticCurve.init(rawValue:)),
        let x = bytes("x"), let y = bytes("y"), let key = ECPublicKey(curve: curve, x: x, y: y)
      else { return nil }
      self = .elliptic(key)
    case "OKP":
      guard members["crv"]?.text == "Ed25519", let x = bytes("x"),
        x.count == Ed25519.publicKeyCount
      else { return nil }
      self = .ed25519(x)
    default: return nil
    }
  }

  /// A number as the standard writes it (RFC 7518 section 2), also where a server has padded it.
  private static func withoutPadding(_ text: String) -> Substring {
    guard text.utf8.count.isMultiple(of: 4), text.hasSuffix("=") else { return text[...] }
    return text.hasSuffix("==") ? text.dropLast(2) : text.dropLast()
  }
}
