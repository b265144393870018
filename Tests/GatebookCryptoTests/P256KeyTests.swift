internal import COpenSSL
internal import GatebookCrypto
internal import Testing

struct P256KeyTests {
  private static let message = Array("Gatebook".utf8)

  @Test
  func `a fresh key signs in 64 bytes, others at every call`() throws {
    let key = P256Key.generate()
    let first = try key.sign(Self.message)
    let second = try key.sign(Self.message)
    #expect(first.count == P256Key.signatureCount)
    #expect(first != second)
    for signature in [first, second] {
      #expect(key.publicKey.verify(signature, of: Self.message))
      #expect(!key.publicKey.verify(signature, of: Self.message + [0]))
      #expect(!P256Key.generate().publicKey.verify(signature, of: Self.message))
    }
    #expect(ERR_peek_error() == 0)
  }

  @Test
  func `a half that begins with zeros keeps its length`() throws {
    // One of 128 signatures has such a half.
    let key = P256Key.generate()
    for _ in 1...10_000 {
      let signature = try key.sign(Self.message)
      #expect(signature.count == 64)
      #expect(key.publicKey.verify(signature, of: Self.message))
      if signature[0] == 0 || signature[32] == 0 { return }
    }
    Issue.record("10,000 signatures without a zero at the front of a half")
  }

  @Test(arguments: [
    pkcs8, sec1, "Bag Attributes\n\n" + pkcs8 + "\n\n", parameters + sec1, withoutPublic,
    compressed,
  ])
  func `a key in PEM has the public point that another program computed`(_ pem: String) throws {
    let key = try P256Key(pem: Secret(pem))
    #expect(key.publicKey.curve == .p256)
    #expect(
      key.publicKey.x
        == hex("4b150bd9c819ae8e93786af07df44e56ed44b8a51312020b5373554aaf14bc7e"))
    #expect(
      key.publicKey.y
        == hex("a403b07594f86aa08f0221043bd90acd966edf671c651504b0860de1dc163b10"))
    #expect(key.publicKey.verify(try key.sign(Self.message), of: Self.message))
    #expect(ERR_peek_error() == 0)
  }

  @Test
  func `a key comes back from its PKCS#8 bytes`() throws {
    let key = P256Key.generate()
    let copy = try P256Key(pkcs8: key.pkcs8)
    #expect(copy.publicKey == key.publicKey)
    #expect(copy.pkcs8 == key.pkcs8)
    #expect(key.publicKey.verify(try copy.sign(Self.message), of: Self.message))
  }

  @Test
  func `PKCS#8 bytes that are cut, followed by others or of another key are refused`() throws {
    let whole = P256Key.generate().pkcs8.withBytes { $0 }
    for bytes in [[], [0], Array(whole.dropLast()), Array(whole.prefix(60)), whole + [0]] {
      #expect(throws: PrivateKeyRefusal.unreadable) { try P256Key(pkcs8: Secret(bytes)) }
    }
    let other = try RSAKey(pem: Secret(RSAKeys.small)).pkcs8
    #expect(throws: PrivateKeyRefusal.otherAlgorithm) { try P256Key(pkcs8: other) }
    #expect(ERR_peek_error() == 0)
  }

  @Test(arguments: [
    (encrypted, PrivateKeyRefusal.encrypted), (p384, .otherAlgorithm),
    (RSAKeys.pkcs8, .otherAlgorithm), ("", .unreadable),
    (String(pkcs8.dropLast(90)), .unreadable),
  ])
  func `a key that cannot be used says why and asks nobody`(
    _ pem: String, _ refusal: PrivateKeyRefusal
  ) {
    #expect(throws: refusal) { try P256Key(pem: Secret(pem)) }
    #expect(ERR_peek_error() == 0)
  }

  @Test
  func `one key signs on many threads at once`() async {
    let key = P256Key.generate()
    await withTaskGroup(of: [UInt8]?.self) { group in
      for _ in 1...16 { group.addTask { try? key.sign(Self.message) } }
      for await signature in group {
        #expect(signature.map { key.publicKey.verify($0, of: Self.message) } == true)
      }
    }
  }

  // These keys were made for the tests alone and protect nothing.

  private static let sec1 = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIIO9nzLkC+8GsrYRnKum2hwXyVA2BHhOy3Y2bcX62Oq6oAoGCCqGSM49
    AwEHoUQDQgAESxUL2cgZro6TeGrwffROVu1EuKUTEgILU3NVSq8UvH6kA7B1lPhq
    oI8CIQQ72QrNlm7fZxxlFQSwhg3h3BY7EA==
    -----END EC PRIVATE KEY-----
    """

  private static let pkcs8 = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgg72fMuQL7waythGc
    q6baHBfJUDYEeE7LdjZtxfrY6rqhRANCAARLFQvZyBmujpN4avB99E5W7US4pRMS
    AgtTc1VKrxS8fqQDsHWU+GqgjwIhBDvZCs2Wbt9nHGUVBLCGDeHcFjsQ
    -----END PRIVATE KEY-----
    """

  /// What `openssl ecparam` writes before the key.
  private static let parameters = """
    -----BEGIN EC PARAMETERS-----
    BggqhkjOPQMBBw==
    -----END EC PARAMETERS-----

    """

  /// The same key without its public point.
  private static let withoutPublic = """
    -----BEGIN EC PRIVATE KEY-----
    MDECAQEEIIO9nzLkC+8GsrYRnKum2hwXyVA2BHhOy3Y2bcX62Oq6oAoGCCqGSM49
    AwEH
    -----END EC PRIVATE KEY-----
    """

  /// The same key with its public point in the compressed form.
  private static let compressed = """
    -----BEGIN EC PRIVATE KEY-----
    MFcCAQEEIIO9nzLkC+8GsrYRnKum2hwXyVA2BHhOy3Y2bcX62Oq6oAoGCCqGSM49
    AwEHoSQDIgACSxUL2cgZro6TeGrwffROVu1EuKUTEgILU3NVSq8UvH4=
    -----END EC PRIVATE KEY-----
    """

  private static let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIH0MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBD5eHcUw8e63eG50tGo
    xm0qAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQGCyKhlnXBK4+K8WG
    Kf5vygSBkNI1qAGHUtU9abOc+BITotp/bepPrzW6zSseWF0jJAL6TQPkY7cR2+yd
    Gmm90O3Pkr8KMa6jZHwoKgymJywjfwL+dSt4K3RYlu9Y/H84igaNdaXNNC3H8p/c
    mdEN7QNrVAIzZ3GlHICCr7tpC+AbPTHKawmi5oXUKE8I9//YcJJeFTvu2HSIaUx4
    bPWVXoqQAA==
    -----END ENCRYPTED PRIVATE KEY-----
    """

  private static let p384 = """
    -----BEGIN PRIVATE KEY-----
    MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDYF5TaRKrnhARxMMfA
    iYoFrMtsZDBC/8CBCo3q3D/EJ5LhnT+uy/Cjygdp4WsdgnqhZANiAARZk8uc1qnK
    sAGoB26Dci5bKtskHIhhpoSI0Z14pYTQiqHwLZE3NHdpncXia9wZMXp26flmPp4G
    NohOdT2QwyDAOAML09WAnIQgJ53sNMQY1Dp1aaJ1OMQwLTgwjLxUcJs=
    -----END PRIVATE KEY-----
    """
}
