internal import COpenSSL
internal import GatebookCrypto
internal import Testing

/// The AES-256 vectors (13 to 16) of the GCM submission to NIST, and what must be refused.
struct AuthenticatedCipherTests {
  struct Vector: Sendable {
    let key: [UInt8]
    let nonce: [UInt8]
    let plaintext: [UInt8]
    let associated: [UInt8]
    let ciphertext: [UInt8]
    let tag: [UInt8]
  }

  private static let key = hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
  private static let nonce = hex("cafebabefacedbaddecaf888")
  private static let plaintext = hex(
    """
    d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
    1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255
    """)
  private static let ciphertext = hex(
    """
    522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
    8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad
    """)
  private static let associated = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")

  private static let vectors = [
    Vector(
      key: bytes(0, times: 32), nonce: bytes(0, times: 12), plaintext: [], associated: [],
      ciphertext: [], tag: hex("530f8afbc74536b9a963b4f1c4cb738b")),
    Vector(
      key: bytes(0, times: 32), nonce: bytes(0, times: 12), plaintext: bytes(0, times: 16),
      associated: [], ciphertext: hex("cea7403d4d606b6e074ec5d3baf39d18"),
      tag: hex("d0d1c8a799996bf0265b98b5d48ab919")),
    Vector(
      key: key, nonce: nonce, plaintext: plaintext, associated: [], ciphertext: ciphertext,
      tag: hex("b094dac5d93471bdec1a502270e3cc6c")),
    Vector(
      key: key, nonce: nonce, plaintext: Array(plaintext.prefix(60)), associated: associated,
      ciphertext: Array(ciphertext.prefix(60)), tag: hex("76fc6ece0f4e1768cddf8853bb2d551b")),
  ]

  @Test(arguments: vectors)
  func `a plaintext is encrypted as the standard's vector says, and is decrypted again`(
    _ vector: Vector
  ) {
    let cipher = AuthenticatedCipher(key: vector.key)
    for _ in 1...2 {
      let sealed = cipher.seal(
        vector.plaintext, nonce: vector.nonce, associated: vector.associated)
      #expect(sealed == vector.ciphertext + vector.tag)
      let opened = cipher.open(sealed, nonce: vector.nonce, associated: vector.associated)
      #expect(opened == vector.plaintext)
    }
  }

  @Test(arguments: vectors)
  func `one flipped bit anywhere refuses`(_ vector: Vector) {
    let cipher = AuthenticatedCipher(key: vector.key)
    let sealed = vector.ciphertext + vector.tag
    for flipped in flips(of: sealed) {
      #expect(
        cipher.open(flipped, nonce: vector.nonce, associated: vector.associated) == nil)
    }
    for flipped in flips(of: vector.nonce) {
      #expect(cipher.open(sealed, nonce: flipped, associated: vector.associated) == nil)
    }
    for flipped in flips(of: vector.associated) {
      #expect(cipher.open(sealed, nonce: vector.nonce, associated: flipped) == nil)
    }
    #expect(ERR_peek_error() == 0)
    #expect(
      cipher.open(sealed, nonce: vector.nonce, associated: vector.associated)
        == vector.plaintext, "A refusal must not spoil the next opening.")
  }

  @Test
  func `one flipped bit of the key refuses`() {
    let sealed = AuthenticatedCipher(key: Self.key)
      .seal(Self.plaintext, nonce: Self.nonce, associated: [])
    for flipped in flips(of: Self.key) {
      let other = AuthenticatedCipher(key: flipped)
      #expect(other.open(sealed, nonce: Self.nonce, associated: []) == nil)
    }
  }

  @Test
  func `every shortened input is refused`() {
    let cipher = AuthenticatedCipher(key: Self.key)
    let sealed = cipher.seal(Self.plaintext, nonce: Self.nonce, associated: [])
    for count in 0..<sealed.count {
      let shortened = Array(sealed.prefix(count))
      #expect(cipher.open(shortened, nonce: Self.nonce, associated: []) == nil)
    }
  }

  @Test(arguments: [0, 11, 13, 16])
  func `a nonce of another length does not open`(_ count: Int) {
    let cipher = AuthenticatedCipher(key: Self.key)
    let sealed = cipher.seal([1], nonce: bytes(0, times: 12), associated: [])
    #expect(cipher.open(sealed, nonce: bytes(0, times: count), associated: []) == nil)
  }

  @Test
  func `encryption and decryption may alternate under one key`() {
    let cipher = AuthenticatedCipher(key: Self.key)
    let rounds = (0..<64).map { round in
      let nonce = bytes(UInt8(round), times: 12)
      let plaintext = bytes(UInt8(round), times: round * 5)
      let associated = bytes(0xAD, times: round % 7)
      return (cipher.seal(plaintext, nonce: nonce, associated: associated), plaintext)
    }
    for (round, (sealed, plaintext)) in rounds.enumerated().reversed() {
      let nonce = bytes(UInt8(round), times: 12)
      let associated = bytes(0xAD, times: round % 7)
      #expect(cipher.open(sealed, nonce: nonce, associated: associated) == plaintext)
      #expect(cipher.open(sealed, nonce: nonce, associated: associated + [0]) == nil)
      #expect(
        cipher.seal(plaintext, nonce: nonce, associated: associated) == sealed,
        "One opening must not change what is sealed next.")
    }
  }
}

extension AuthenticatedCipher {
  /// The ciphertext followed by its 16-byte tag.
  fileprivate func seal(
    _ plaintext: [UInt8], nonce: [UInt8], associated: [UInt8]
  ) -> [UInt8] {
    var sealed = nonce
    seal(plaintext, associated: associated, behindNonceIn: &sealed)
    return Array(sealed[nonce.count...])
  }
}
