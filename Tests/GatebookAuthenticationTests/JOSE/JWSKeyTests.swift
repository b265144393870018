internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct JWSKeyTests {
  private static func pem(_ key: Secret) -> Secret {
    let text = key.withBytes { Base64.encode($0) }
    return Secret("-----BEGIN PRIVATE KEY-----\n\(text)\n-----END PRIVATE KEY-----\n")
  }

  @Test
  func `a key in PEM signs with the algorithm of its kind`() throws {
    let curve = P256Key.generate()
    let rsa = RSAKey.generate()
    let cases = [
      (try JWSKey(pem: Self.pem(curve.pkcs8)), JSONWebKey(.elliptic(curve.publicKey))),
      (try JWSKey(pem: Self.pem(rsa.pkcs8)), JSONWebKey(.rsa(rsa.publicKey))),
    ]
    #expect(cases.map(\.0.algorithm) == [.es256, .rs256])
    for (key, publicKey) in cases {
      let text = try key.sign(["sub": "a"], header: ["typ": "JWT"])
      let token = try UnverifiedToken(text)
      #expect(token.header.algorithm == key.algorithm.rawValue)
      #expect(token.header.type == "JWT")
      let verified = try token.verified(
        by: JSONWebKeySet([publicKey]), allowing: [key.algorithm])
      #expect(verified.claims.facts == ["sub": "a"])
    }
  }

  @Test(arguments: [
    (weak, PrivateKeyRefusal.size), (p384, .otherAlgorithm), ("", .unreadable),
    (ed25519, .otherAlgorithm),
  ])
  func `a key that cannot be used says why`(_ pem: String, _ refusal: PrivateKeyRefusal) {
    #expect(throws: refusal) { try JWSKey(pem: Secret(pem)) }
  }

  /// 1,024 bits of RSA.
  private static let weak = """
    -----BEGIN PRIVATE KEY-----
    MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBAKdnKjSQ+RGB9jK2
    hQ258yhshiGxo32lAG052z38nh7skn2aLE1nV7vgJhjwfrU3x8e5LIKwMea7BhKS
    xieR0NByd19lQnfdl/1DSrSo8wmTfU0pLfn1jgaFsIsNTiWlMyHJD8xYBcE6JMcR
    PB0Z9iwlHg3x4lzYuafinFf4ExIDAgMBAAECgYEAkWcORbJWZFqZ2dqnHxEQn2AD
    8Wg2NYAIKtdCE0lEnl+lresn5+OHVOyQqsDZjdXxdQzmGG2qKlrwH1nVO7FvyPZ3
    W4ZFCSr6cdw+UkCpkqON8wYA+gMjJhizNEeCfcbNczRCWgpcDItkP4ekd0MT2zM2
    6fx+LPdtrdB57lPlDaECQQDXpxPWSYWkFXm1lJFvtMB8XMEW2jWyx7nke4FOPSzz
    8HNci7zAjNa7ef0gRIO46VRWXHKfNVFbVi0abSmg3lUHAkEAxrkd0sm+8DBWOjlk
    L6NVEN1GazXZ3XAb5gJE3RhlJERYZK8Gqn7EbswgilKS7FL9TPmQlhRicN/ZaXAb
    u174JQJAUeYA0ZvAZi1FuKEAjrTNeS1co0ohpJDXVx9UXxs6jDXgCeCDwXh7QF22
    tN9wSvRJ9DZNzYrZJ9/VZzjX22E0VwJAWVBz7fwMnAktiAepVpvTLLw23RKb86Fi
    eJMGflRriMxK6h2cIl7NTHrkGScZr6tw+vqjmEBbKh4Bqhjf7eu2HQJBAM9oVg2d
    Y/G73cwyHdG7ZiP7oT+tqM3yCZOFGpetTUie6KD63xhICEa3fcW4jT6LiSPHfgji
    6aUTzCobfaV3/+0=
    -----END PRIVATE KEY-----
    """

  private static let p384 = """
    -----BEGIN PRIVATE KEY-----
    MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCEth+GUBJSkBeoARH9
    wrUUb9jLHLcli0pdPnVmpvNdPzSQ3WaWzfzDEdJdl7kFFE2hZANiAARLVNhGPeF2
    hwOpsvdbrD36DusvvYnimBqbSamXZwpzT3LnmHX/HcpeyEZB3yxuXFuOajtSVGvd
    IxVvu5pbthM1TAJfLGsjS5sYCfv6Tybf1agIQGqz0ZOW2cKx9iAxWbU=
    -----END PRIVATE KEY-----
    """

  private static let ed25519 = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIIS4hZzUQN63XtuxupumrkIVsj0eNw7w4IgveA20Wzt7
    -----END PRIVATE KEY-----
    """
}
