internal import GatebookCrypto
internal import Testing

/// The vectors of FIPS 180-4 and RFC 6234 section 8.5.
struct SHA256Tests {
  private static let vectors: [(message: [UInt8], digest: String)] = [
    ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ([0x19], "68aa2e2ee5dff96e3355e6c7ee373e3d6a4e17f75f9518d843709c0c9bc3e3d4"),
    (
      bytes(UInt8(ascii: "a"), times: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: vectors)
  func `a message has the standard's hash`(_ message: [UInt8], _ digest: String) {
    #expect(SHA256().hash(message) == hex(digest))
  }

  @Test
  func `one hasher serves one message after the other`() {
    let hasher = SHA256()
    for _ in 1...2 {
      for vector in Self.vectors {
        #expect(hasher.hash(vector.message) == hex(vector.digest))
      }
    }
  }

  @Test(arguments: vectors)
  func `a buffer has the hash of its bytes`(_ message: [UInt8], _ digest: String) {
    let hasher = SHA256()
    let hash = Digest { output in
      message.withUnsafeBytes { input in
        guard let address = output.baseAddress else { return }
        hasher.hash(input, into: address)
      }
    }
    #expect(hash.bytes == hex(digest))
  }
}
