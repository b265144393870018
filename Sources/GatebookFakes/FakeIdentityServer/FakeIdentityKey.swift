internal import COpenSSLTLS
internal import Gatebook

/// A key pair that a fake identity server signs with, or that its application does.
struct FakeIdentityKey: Sendable {
  private enum Pair: Sendable {
    case rsa(RSAKey)
    case elliptic(P256Key)
    case edwards(SigningKey)
  }

  private static let rsa = [FakeIdentityKey(.rsa(.generate())), FakeIdentityKey(.rsa(.generate()))]
  private static let elliptic = [
    FakeIdentityKey(.elliptic(.generate())), FakeIdentityKey(.elliptic(.generate())),
  ]
  private static let edwards = [UInt8(1), 2].compactMap { byte in
    SigningKey(seed: [UInt8](repeating: byte, count: SigningKey.seedCount))
      .map { FakeIdentityKey(.edwards($0)) }
  }
  /// The application's.
  static let client = FakeIdentityKey(.rsa(.generate()))

  private let pair: Pair

  private init(_ pair: Pair) {
    self.pair = pair
  }

  /// The server's key for signatures of an algorithm.
  ///
  /// - Parameters:
  ///   - algorithm: The algorithm.
  ///   - isFirst: Whether it is the one that the server begins with; else the one that follows it.
  /// - Returns: The key: always the same one.
  static func server(
    _ algorithm: FakeIdentitySettings.Algorithm, isFirst: Bool
  ) -> FakeIdentityKey {
    let keys =
      switch algorithm {
      case .rs256, .ps256: rsa
      case .es256: elliptic
      case .edDSA: edwards
      }
    return keys[isFirst ? 0 : 1]
  }

  /// The public key as it is published (RFC 7517 section 4, RFC 7518 section 6, RFC 8037 section 2).
  ///
  /// - Parameters:
  ///   - id: Its name.
  ///   - algorithm: What it signs with.
  /// - Returns: The key.
  func jwk(
    _ id: String = "fake-1", _ algorithm: FakeIdentitySettings.Algorithm = .rs256
  ) -> PlainJSON {
    let numbers: [PlainJSON.Member] =
      switch pair {
      case .rsa(let key):
        [.text("kty", "RSA"), .bytes("n", key.publicKey.modulus)]
          + [.bytes("e", key.publicKey.exponent)]
      case .elliptic(let key):
        [.text("kty", "EC"), .text("crv", "P-256"), .bytes("x", key.publicKey.x)]
          + [.bytes("y", key.publicKey.y)]
      case .edwards(let key):
        [.text("kty", "OKP"), .text("crv", "Ed25519"), .bytes("x", key.publicKey)]
      }
    return .object(
      numbers + [.text("kid", id), .text("use", "sig"), .text("alg", algorithm.rawValue)])
  }

  /// The private key in PEM (RFC 7468 section 10); empty for one of Ed25519.
  var pem: String {
    let text = Array(Base64Text.encode(pkcs8))
    let lines = stride(from: 0, to: text.count, by: 64).map { start in
      String(text[start..<min(start + 64, text.count)])
    }
    return
      "-----BEGIN PRIVATE KEY-----\n\(lines.joined(separator: "\n"))\n-----END PRIVATE KEY-----\n"
  }

  private var pkcs8: [UInt8] {
    switch pair {
    case .rsa(let key): key.pkcs8.withBytes { Array($0) }
    case .elliptic(let key): key.pkcs8.withBytes { Array($0) }
    case .edwards: []
    }
  }

  /// The signature of a message; of an algorithm that the key has not, libcrypto's own choice.
  func signature(
    of message: [UInt8], _ algorithm: FakeIdentitySettings.Algorithm
  ) -> [UInt8] {
    let signature: [UInt8]? =
      switch pair {
      case .rsa where algorithm == .ps256: probabilistic(message)
      case .rsa(let key): try? key.sign(message, with: .sha256)
      case .elliptic(let key): try? key.sign(message)
      case .edwards(let key): key.sign(message)
      }
    guard let signature else { preconditionFailure("libcrypto could not sign.") }
    return signature
  }

  /// RSASSA-PSS with SHA-256 and a salt of its size (RFC 7518 section 3.5).
  private func probabilistic(_ message: [UInt8]) -> [UInt8]? {
    let key = pkcs8.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return X509Draft.handle(d2i_AutoPrivateKey(nil, &start, bytes.count), "a key")
    }
    let context = X509Draft.handle(EVP_MD_CTX_new(), "a signature context")
    defer {
      EVP_MD_CTX_free(context)
      EVP_PKEY_free(key)
    }
    // The first context owns the second one.
    var padding: OpaquePointer?
    X509Draft.require(
      EVP_DigestSignInit(context, &padding, EVP_sha256(), nil, key), "a signature")
    X509Draft.require(
      EVP_PKEY_CTX_set_rsa_padding(padding, RSA_PKCS1_PSS_PADDING), "the padding")
    X509Draft.require(
      EVP_PKEY_CTX_set_rsa_pss_saltlen(padding, RSA_PSS_SALTLEN_DIGEST), "the salt")
    var count = Int(EVP_PKEY_get_size(key))
    var signature = [UInt8](repeating: 0, count: count)
    let status = EVP_DigestSign(context, &signature, &count, message, message.count)
    return status == 1 ? Array(signature.prefix(count)) : nil
  }
}

extension PlainJSON.Member {
  fileprivate static func text(_ name: String, _ text: String) -> PlainJSON.Member {
    PlainJSON.Member(name: name, value: .string(text))
  }

  fileprivate static func bytes(_ name: String, _ bytes: [UInt8]) -> PlainJSON.Member {
    .text(name, Base64Text.encodeForURL(bytes))
  }
}
