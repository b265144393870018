internal import COpenSSL
internal import GatebookCrypto
internal import Testing

/// RSA keys and signatures: RFC 7515 appendix A.2, and signatures that another program made.
struct RSAKeyTests {
  private static let message = Array("Gatebook".utf8)
  private static let modulus = hex(
    """
    a3477a682eabc9b03bd36db7ca832097170628753a9a5aff31e963fa13684250549bf2761fb79e57
    de011354952774df55c3aa8444a4427628cd24120859f75648075a4497d7374a2c34b31f2bed677a
    1d50fa43a36c458ff4bdd65d3283734e65824d4d8c2a5d0c18b6e6345119cef84cb52b2d15fbe98c
    9a379fa288b62eb73a2dcab2e1349658b4b71494b2db87cac32be6eedda09db8a8d9c3473740efbb
    9ebcb7f2fdb231c41ef2b584cdbf9de0b64269b663fc99d0536213c697922855b0dedd7e422f3a2b
    e75395a8014353e3abc8896c931714820f2abb1d8e39657c0c1a2ec50f65c49d0b5ee934bac3462e
    f61cc74284e2be2a72ccf613cd3d3875
    """)
  private static let signature256 = hex(
    """
    67aea51d8903b6a86c72fa90c752b79ce33d9a0618981c69d9aa43956eb4753fd3b1dd0260d83ef9
    b6fc989d3510fec6f90235a8939e7314d3216c2dac436fcff4a7a0b62fb0bc9160dff3c8ace7ea4e
    be0dbbcbfb82a0d09706543fe80aa8a00c6b37481d5041dede99815cf50c329722dd06aa3ff08153
    2b2d53f3917eed586c4ccf4ac424c4b83fde2df8abfd5f8114256fd57bed7d103482f7ff2ea1f180
    ccb6a6d04c4408b9594ddf6d34de50e7f0bbf2c5c32e6f49081953f9470da23a2b3cf36b809827b9
    82f389a17504dd5182780a4eee4ab1d59b92c910683c6ddfacd70306c7cb06630befe2b5fb4b64a2
    4d28d276906ce0cd5dc27c8af93fead4
    """)
  private static let signature1 = hex(
    """
    0288c469a7df1b0778c3d853d6980efa83c1b2042238bca564e02d202af0f81cf24e86a43a26e281
    37205af633f5e7e4413e81802be8d32d27c9e2f036b6708e85498f029bc30cd8953d6462cfb63102
    3eae67b88f3831807c571269755e9a26082f2203ae655d6ff92ce7b7397465fdfb942ee05c812f77
    b04727da53df6c81822a6c59e24435ffbaa5139cdee5fc0f28c033f196a909f153c1bd27d2e04f2f
    5c18708babb70d3fb8455c2757cb9e24380f70200569d6f5ff93853c27bd83645e5bf85535ee0210
    2e3af8738283d7cf7337f3bf3266c96e5aa38c0be222511a45913afb09689a7b46f66dce8f51faad
    b7d1ce253432fb536cf152fa7a63a86e
    """)
  private static let smallSignature1 = hex(
    """
    8e1b6d1deb2330b3991137fa060ae5ade21396c1a812413e187d47401d2e7282d636fcd64c277951
    f83ff4a9e7f7b14386b1438733ada9123d0cb3c91e9f7140c28eb2b5ca4626e584880605d7dad086
    92185cfbad24e8a84692e7589d28db7c7404c9ef642d9eab377e2cc842483e2f1cf2266241e1a24c
    45af9ae642052cac
    """)

  @Test
  func `the standard's RS256 signature is verified`() throws {
    let key = try #require(
      RSAPublicKey(
        modulus: hex(
          """
          a1f8160ae2e3c9b465ce8d2d656263362b927dbe29e1f02477fc1625cc90a136e38bd93497c5b6ea
          63dd7711e67c7429f956b0fb8a8f089adc4b69893cc1333f53edd019b87784252fec914fe4857769
          594bea4280d32c0f55bf62944f130396bc6e9bdf6ebdd2bda3678eeca0c668f701b38dbffb38c834
          2ce2fe6d27fade4a5a4874979dd4b9cf9adec4c75b05852c2c0f5ef8a5c1750392f944e8ed64c110
          c6b647609aa4783aeb9c6c9ad755313050638b83665c6f6f7a82a396702a1f641b82d3ebf2392219
          491fb686872c5716f50af8358d9a8b9d17c340728f7f87d89a18d8fcab67ad84590c2ecf75933936
          3c07034d6f606f9e21e05456cae5e9a1
          """),
        exponent: [1, 0, 1]))
    let signature = hex(
      """
      702e218943e88fd11eb5d82dbf7845f34106ae1b81fff7731116add1717d83656d420afd3c96eedd
      73a2663e5166687b000b87226e0187ed1073f945e582adfcef16d85a798ee8c66ddb3db8975b17d0
      9402beedd5d9d97007108db28160d5f8040ca7445762b81fbe7ff9d92e0ae76f24f25b33bbe6f44a
      e61eb1040acb20044d3ef9128ed40130795bd4bd3b41eecad066ab651981fde48df77f372dc38b9f
      afdd3befb18b5da3cc3c2eb02f9e3a41d612caad15911273a05f23b9e838faaf849d698429ef5a1e
      88798236c3d40e604522a544c8f27a7a2db80663d16cf7caea56de405cb2215a45b2c25566b55ac1
      a748a070dfc8a32a469543d019eefb47
      """)
    let message = Array(
      """
      eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQog\
      Imh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ
      """.utf8)
    #expect(key.verify(signature, of: message, with: .sha256))
    #expect(!key.verify(signature, of: message, with: .sha1))
    #expect(!key.verify(signature, of: message + [0], with: .sha256))
    #expect(ERR_peek_error() == 0)
  }

  @Test(arguments: [RSAKeys.pkcs8, RSAKeys.pkcs1, "Bag Attributes\n\n" + RSAKeys.pkcs8 + "\n\n"])
  func `a key in PEM signs as another program did`(_ pem: String) throws {
    let key = try RSAKey(pem: Secret(pem))
    #expect(key.publicKey.modulus == Self.modulus)
    #expect(key.publicKey.exponent == [1, 0, 1])
    #expect(try key.sign(Self.message, with: .sha256) == Self.signature256)
    #expect(try key.sign(Self.message, with: .sha1) == Self.signature1)
    #expect(ERR_peek_error() == 0)
  }

  @Test
  func `a key of 1024 bits signs but is not trusted unless allowed`() throws {
    let key = try RSAKey(pem: Secret(RSAKeys.small))
    let signature = try key.sign(Self.message, with: .sha1)
    #expect(signature == Self.smallSignature1)
    #expect(key.publicKey.bitCount == 1024)
    #expect(!key.publicKey.verify(signature, of: Self.message, with: .sha1))
    #expect(key.publicKey.verify(signature, of: Self.message, with: .sha1, trustedBits: 1024))
  }

  @Test(arguments: [
    (RSAKeys.encryptedPKCS8, PrivateKeyRefusal.encrypted),
    (RSAKeys.encryptedPKCS1, .encrypted),
    (RSAKeys.elliptic, .otherAlgorithm),
    (RSAKeys.pss, .otherAlgorithm),
    (RSAKeys.tooSmall, .size),
    ("", .unreadable),
    ("-----BEGIN PRIVATE KEY-----", .unreadable),
    ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", .unreadable),
    (String(RSAKeys.pkcs8.dropLast(200)), .unreadable),
    (String(repeating: "\n", count: 1 << 16) + RSAKeys.pkcs8, .unreadable),
  ])
  func `a key that cannot be used says why and asks nobody`(
    _ pem: String, _ refusal: PrivateKeyRefusal
  ) {
    #expect(throws: refusal) { try RSAKey(pem: Secret(pem)) }
    #expect(ERR_peek_error() == 0)
  }

  @Test(arguments: [RSAKeys.pkcs8, RSAKeys.small])
  func `a key comes back from its PKCS#8 bytes`(_ pem: String) throws {
    let key = try RSAKey(pem: Secret(pem))
    let copy = try RSAKey(pkcs8: key.pkcs8)
    #expect(copy.publicKey == key.publicKey)
    #expect(copy.pkcs8 == key.pkcs8)
    #expect(
      try copy.sign(Self.message, with: .sha256) == key.sign(Self.message, with: .sha256))
  }

  @Test
  func `PKCS#8 bytes that are cut or followed by others are refused`() throws {
    let whole = try RSAKey(pem: Secret(RSAKeys.pkcs8)).pkcs8.withBytes { $0 }
    let faulty = [[], [0], Array(whole.dropLast()), Array(whole.prefix(600)), whole + [0]]
    for bytes in faulty {
      #expect(throws: PrivateKeyRefusal.unreadable) { try RSAKey(pkcs8: Secret(bytes)) }
    }
    #expect(ERR_peek_error() == 0)
  }

  @Test
  func `fresh keys have 2048 bits and differ`() throws {
    let (first, second) = (RSAKey.generate(), RSAKey.generate())
    #expect(first.publicKey.bitCount == 2048)
    #expect(first.publicKey != second.publicKey)
    let signature = try first.sign(Self.message, with: .sha256)
    #expect(first.publicKey.verify(signature, of: Self.message, with: .sha256))
    #expect(!second.publicKey.verify(signature, of: Self.message, with: .sha256))
  }

  @Test
  func `a changed signature or one of another length is refused`() throws {
    let key = try #require(RSAPublicKey(modulus: Self.modulus, exponent: [1, 0, 1]))
    #expect(key.verify(Self.signature256, of: Self.message, with: .sha256))
    for index in stride(from: 0, to: Self.signature256.count, by: 17) {
      var changed = Self.signature256
      changed[index] ^= 1
      #expect(!key.verify(changed, of: Self.message, with: .sha256))
    }
    for faulty in [[], [0] + Self.signature256, Self.signature256 + [0], Self.modulus] {
      #expect(!key.verify(faulty, of: Self.message, with: .sha256))
    }
    #expect(ERR_peek_error() == 0)
  }

  @Test
  func `leading zeros of a key's numbers do not count`() throws {
    let key = try #require(RSAPublicKey(modulus: Self.modulus, exponent: [1, 0, 1]))
    #expect(RSAPublicKey(modulus: [0, 0] + Self.modulus, exponent: [0, 1, 0, 1]) == key)
  }

  @Test(arguments: [
    ([], [1, 0, 1]), (modulus, []), (modulus, [1]), (modulus, [2]), (modulus, [0]),
    (modulus, bytes(0xFF, times: 9)), (bytes(0xFF, times: 127), [3]),
    (bytes(0xFF, times: 1025), [3]), (bytes(0xFF, times: 255) + [0xFE], [3]),
  ])
  func `numbers that are no key are refused`(_ modulus: [UInt8], _ exponent: [UInt8]) {
    #expect(RSAPublicKey(modulus: modulus, exponent: exponent) == nil)
  }

  @Test
  func `one key signs on many threads at once`() async throws {
    let key = try RSAKey(pem: Secret(RSAKeys.small))
    let signature = try key.sign(Self.message, with: .sha1)
    await withTaskGroup(of: [UInt8]?.self) { group in
      for _ in 1...16 { group.addTask { try? key.sign(Self.message, with: .sha1) } }
      for await other in group { #expect(other == signature) }
    }
  }
}
