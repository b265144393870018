internal import COpenSSL
internal import GatebookCrypto
internal import Testing

/// ECDSA and RSASSA-PSS signatures of "Gatebook" that another program made (Python's cryptography
/// 48; the private keys were thrown away), and what must be refused.
struct ForeignSignatureTests {
  struct Vector: Sendable {
    let curve: EllipticCurve
    let x: [UInt8]
    let y: [UInt8]
    let signature: [UInt8]
  }

  private static let message = Array("Gatebook".utf8)
  private static let vectors = [
    Vector(
      curve: .p256,
      x: hex(
        """
        4b150bd9c819ae8e93786af07df44e56ed44b8a51312020b5373554aaf14bc7e
        """),
      y: hex(
        """
        a403b07594f86aa08f0221043bd90acd966edf671c651504b0860de1dc163b10
        """),
      signature: hex(
        """
        7cd6a2bac5bea4869413a98f19ae6cd44c17c2af80ef193fb7ec8273a74d8a24daa60ebc14468a39
        a68d4efd6b43177f35d512aa064ed170b0818771d0d3b4ea
        """)),
    Vector(
      curve: .p384,
      x: hex(
        """
        5993cb9cd6a9cab001a8076e83722e5b2adb241c8861a68488d19d78a584d08aa1f02d9137347769
        9dc5e26bdc19317a
        """),
      y: hex(
        """
        76e9f9663e9e0636884e753d90c320c038030bd3d5809c8420279dec34c418d43a7569a27538c430
        2d38308cbc54709b
        """),
      signature: hex(
        """
        21569a06346d7dd5caa2cebf725dd03496f71406e2615abb70094f45f275edb97e858926c0b9a7a7
        4e9e4584e4a9aa9af2a46734d8b4ee8689ea086abefab29d1ba1922448c5d41da79038dd55956e06
        2b2dddd74c00edd3129f0a82d2e22654
        """)),
    Vector(
      curve: .p521,
      x: hex(
        """
        00ec835fdc361ad79399b1be9097b8530b489da426e8dca14cf24224ff21e62bf6797657ffc81f7d
        766f3234b86eb1ac91c204e11822f8c83b3b012ed5678a5db710
        """),
      y: hex(
        """
        0102815adcc112ce0df73ad8c1d7d489c1ed6dd2b5af2ff800117ed578ed0e794d8a48b410343912
        32f9d93ea08850a848d73320108f675402bfc2a6ca94214f2166
        """),
      signature: hex(
        """
        0023a5ceb921ef06de89fe32d34301b0521387a7673d676020aa2981c306602c5bd7109069919b64
        39780b45127ad190ae750c4ca67fce28e1dae7055b5eec75b980011ac14c45744e4143e854422572
        f66486ea12f7ab8ce02ec1de174ccdb033640338335bf885321993c4917f3ebf3bafef385994b569
        8d8960e056cfdb6e4b0c1e91
        """)),
  ]

  @Test(arguments: vectors)
  func `an ECDSA signature is verified, and one flipped bit anywhere refuses`(
    _ vector: Vector
  ) throws {
    let key = try #require(ECPublicKey(curve: vector.curve, x: vector.x, y: vector.y))
    #expect(key.verify(vector.signature, of: Self.message))
    #expect(!key.verify(vector.signature, of: Self.message + [0]))
    for (index, flipped) in flips(of: vector.signature).enumerated() where index % 7 == 0 {
      #expect(!key.verify(flipped, of: Self.message))
    }
    #expect(ERR_peek_error() == 0)
  }

  @Test(arguments: vectors)
  func `a signature of another length or form is refused`(_ vector: Vector) throws {
    let key = try #require(ECPublicKey(curve: vector.curve, x: vector.x, y: vector.y))
    let signature = vector.signature
    let half = signature.count / 2
    let (r, s) = (Array(signature.prefix(half)), Array(signature.suffix(half)))
    let zeros = bytes(0, times: half)
    let faulty: [[UInt8]] = [
      [], [0], Array(signature.dropLast()), signature + [0], [0] + signature, r, r + zeros,
      zeros + s, zeros + zeros, bytes(0xFF, times: 2 * half),
      // The same numbers in longer halves, and a signature in DER.
      [[0], r, [0], s].flatMap(\.self), [0x30, 6, 2, 1, 1, 2, 1, 1],
    ]
    for faulty in faulty { #expect(!key.verify(faulty, of: Self.message)) }
    #expect(ERR_peek_error() == 0)
  }

  @Test(arguments: vectors)
  func `a point that is not on the curve, or of another length, is no key`(_ vector: Vector) {
    func key(_ x: [UInt8], _ y: [UInt8], _ curve: EllipticCurve = vector.curve) -> ECPublicKey? {
      ECPublicKey(curve: curve, x: x, y: y)
    }
    #expect(key(vector.x, vector.y) != nil)
    var other = vector.y
    other[other.count - 1] ^= 1
    #expect(key(vector.x, other) == nil)
    #expect(key(vector.y, vector.x) == nil)
    #expect(key(bytes(0, times: vector.x.count), bytes(0, times: vector.y.count)) == nil)
    #expect(key(bytes(0xFF, times: vector.x.count), vector.y) == nil)
    #expect(key([0] + vector.x, [0] + vector.y) == nil)
    #expect(key(Array(vector.x.dropFirst()), vector.y) == nil)
    #expect(key(vector.x, []) == nil)
    for curve in EllipticCurve.allCases where curve != vector.curve {
      #expect(key(vector.x, vector.y, curve) == nil)
      let padded = bytes(0, times: max(0, curve.coordinateCount - vector.x.count))
      #expect(key(padded + vector.x, padded + vector.y, curve) == nil)
    }
    #expect(ERR_peek_error() == 0)
  }

  private static let modulus = hex(
    """
    a69c3e98d02330272df32adec9289d98489bbedb8457f27cb80d578ab58503390b64754c274771a8
    3afcc5c69caf6398f08436311a0cc05443a6b2a170499d130e26d42fc8a91e3384a2a30e83ccec11
    27803be7bf3ea1776211a57f96a9d46ad6d86b8e09abd1cc8b65e8813bf8d305e68d9f734f52ed65
    8b19dcafe7e4a0b2e333da7ef4967481bde0d02b8b494aaa0093928b47784168d36394cd8276deec
    e11a4805c205fe25ab206cf91560b6566ab16797d98c5a4fa4cd55eb686c57406e4c83a0d5c0cc9a
    06ba339d0202a40c0c1206a788d7870efc6419e7098fe020741d45f8e21567ee9a88fa3a7da8fe03
    46493627448172c1a337e82113b6a047
    """)
  private static let paddings: [(HashFunction, [UInt8])] = [
    (
      .sha256,
      hex(
        """
        21228574744115be19bdb09d5c803c38784cc1fdc1dd7bed421ef7893aa21a0a463aab8ce97604b5
        e76a609e6473d0e6c6e39d4987bcaac481e6da2bbaf071a34bd9dfce10e3c5abca7974b7ce8e695c
        18f5b2d8416609b522aabf4c7d6df4218f11c916918176bb4c664b31ddad160f5a4555f500ed8e7e
        56c7e855567295e72221f23b6dccdf32e1e25833c0a00c982b8fa60ca3fdbfb00e7d4e9984a1e270
        6fb7e49355c942b751635f48b267198f41e0c06126ad9935549391475cfe43dad065d537d492651e
        922ff50b6ca92e2e09f545318a70b89df9c0f1b9fa926c099f298494df73949eef8b406ed155dbc1
        582c1863ecff54f127bc0c09c8bd2534
        """)
    ),
    (
      .sha384,
      hex(
        """
        6298b07428013e5bbd213921a3457b64bbb735979b0b2163b21cea8f886a912e9e5475bb948efdcf
        d0e06dbe567e74a95da00fc0dc866245bb76b082d0f53acdfc4e315906498312ca5c7b312372cc4c
        c02b80ea5e03111408b8d8f9d50b4b3f0be1ae63661c88a992478ff5c845b6ca489cd8d07c271b67
        87b2292afae711b30e0da141766fa223181f0e3a16479e5b817ba505b783b31c8e79782abf1e643c
        95c53f126b3ddf68c2ff3fdd47b339ac14088eefba450abf15c4cd6b597902f66b9c39f56fe9d4c4
        ebe0e3c3044f1b8e60bacc2921b72f3499ee30f870bf5e9f129455446d18a7a65d72145d330c78d0
        331e3bfab618440883e4e8ce9b765255
        """)
    ),
    (
      .sha512,
      hex(
        """
        764212125b0e8ac9de5ce28ecca4a990dc002b33c2015ab0d14c11535576d62821e56a0d60e73745
        e187bf57c8681a0a257e513310cea20ee14559f8f7483433e5fa719ca168dea1c1f72fea8147cce7
        5dd4a9aad78185f1789c8eb62d40e1a074f959dd122e1d31efeb2bf8b79861d3990d4ba6543a289e
        1efe7e78ec4d1c256b334d787fda436b71d17545986516ae2950e8ad52227a6ef38c0b23f60c3e53
        a7e32ba8e12ea1c096080281b3154bcad2b2b00aa9e0af5b8960beb4c8f88f9d18ff65ee65f5d051
        1e79965225c17cb301a5717fc6cc9c5ba584bec0386732b40efd1bc04e9a2369be99259027c4b25c
        33d5770b48a7c6e531e60b706f318671
        """)
    ),
  ]

  @Test(arguments: paddings)
  func `a PSS signature is verified with its own hash and padding alone`(
    _ hash: HashFunction, _ signature: [UInt8]
  ) throws {
    let key = try #require(RSAPublicKey(modulus: Self.modulus, exponent: [1, 0, 1]))
    #expect(key.verify(signature, of: Self.message, with: hash, padding: .pss))
    #expect(!key.verify(signature, of: Self.message, with: hash))
    #expect(!key.verify(signature, of: Self.message + [0], with: hash, padding: .pss))
    for other in [HashFunction.sha256, .sha384, .sha512] where other != hash {
      #expect(!key.verify(signature, of: Self.message, with: other, padding: .pss))
    }
    for (index, flipped) in flips(of: signature).enumerated() where index % 127 == 0 {
      #expect(!key.verify(flipped, of: Self.message, with: hash, padding: .pss))
    }
    #expect(ERR_peek_error() == 0)
  }
}
