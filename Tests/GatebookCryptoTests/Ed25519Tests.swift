internal import COpenSSL
internal import GatebookCrypto
internal import Testing

/// Tests 1 to 3 of RFC 8032 section 7.1, and what must be refused.
struct Ed25519Tests {
  struct Vector: Sendable {
    let seed: [UInt8]
    let publicKey: [UInt8]
    let message: [UInt8]
    let signature: [UInt8]
  }

  private static let vectors = [
    Vector(
      seed: hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"),
      publicKey: hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"),
      message: [],
      signature: hex(
        """
        e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
        5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
        """)),
    Vector(
      seed: hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"),
      publicKey: hex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
      message: [0x72],
      signature: hex(
        """
        92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
        085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
        """)),
    Vector(
      seed: hex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"),
      publicKey: hex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"),
      message: [0xAF, 0x82],
      signature: hex(
        """
        6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
        18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
        """)),
  ]

  @Test(arguments: vectors)
  func `a seed gives the standard's key and signature`(_ vector: Vector) throws {
    let key = try #require(SigningKey(seed: vector.seed))
    #expect(key.publicKey == vector.publicKey)
    #expect(key.sign(vector.message) == vector.signature)
    #expect(key.sign(vector.message) == vector.signature)
    #expect(Ed25519.verify(vector.signature, of: vector.message, by: vector.publicKey))
  }

  @Test(arguments: vectors)
  func `one flipped bit anywhere refuses`(_ vector: Vector) {
    for flipped in flips(of: vector.signature) {
      #expect(!Ed25519.verify(flipped, of: vector.message, by: vector.publicKey))
    }
    for flipped in flips(of: vector.message) {
      #expect(!Ed25519.verify(vector.signature, of: flipped, by: vector.publicKey))
    }
    for flipped in flips(of: vector.publicKey) {
      #expect(!Ed25519.verify(vector.signature, of: vector.message, by: flipped))
    }
    #expect(ERR_peek_error() == 0)
  }

  @Test(arguments: vectors)
  func `a signature for a longer message is refused`(_ vector: Vector) {
    let message = vector.message + [0]
    #expect(!Ed25519.verify(vector.signature, of: message, by: vector.publicKey))
  }

  @Test(arguments: vectors)
  func `another form of the same signature is refused`(_ vector: Vector) {
    // RFC 8032 section 8.4: S must be below the group order L, or S + L would verify as well.
    let order = hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
    var signature = vector.signature
    var carry = 0
    for index in 0..<32 {
      let sum = Int(signature[32 + index]) + Int(order[index]) + carry
      signature[32 + index] = UInt8(truncatingIfNeeded: sum)
      carry = sum >> 8
    }
    #expect(carry == 0)
    #expect(!Ed25519.verify(signature, of: vector.message, by: vector.publicKey))
  }

  @Test(arguments: [0, 31, 33, 64])
  func `a key of another length is refused`(_ count: Int) throws {
    let vector = try #require(Self.vectors.first)
    #expect(SigningKey(seed: bytes(1, times: count)) == nil)
    let key = bytes(1, times: count)
    #expect(!Ed25519.verify(vector.signature, of: vector.message, by: key))
  }

  @Test(arguments: [0, 63, 65])
  func `a signature of another length is refused`(_ count: Int) throws {
    let vector = try #require(Self.vectors.first)
    let signature = Array((vector.signature + [0]).prefix(count))
    #expect(!Ed25519.verify(signature, of: vector.message, by: vector.publicKey))
  }

  @Test
  func `one key signs on many threads at once`() async throws {
    let vector = try #require(Self.vectors.last)
    let key = try #require(SigningKey(seed: vector.seed))
    await withTaskGroup(of: [UInt8].self) { group in
      for _ in 1...32 { group.addTask { key.sign(vector.message) } }
      for await signature in group { #expect(signature == vector.signature) }
    }
  }
}
