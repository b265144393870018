import GatebookCrypto
import Testing

@testable import GatebookFakes

@Suite struct HashTests {
  @Test(arguments: [
    (HashFunction.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),  // RFC 1321 A.5
    (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),  // RFC 3174 section 7.3
    (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha512, "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ])
  func `the standards' own examples`(_ hash: HashFunction, _ message: String, _ value: String) {
    #expect(hash.hex(message) == value)
  }

  /// RFC 2202 section 3, cases 2 and 6: a short key and one longer than a block.
  @Test(arguments: [
    (Array("Jefe".utf8), "what do ya want for nothing?", "7/zfauXrL6LSdBbV8YTfnCWafHk="),
    (
      [UInt8](repeating: 0xAA, count: 80),
      "Test Using Larger Than Block-Size Key - Hash Key First", "qkrl4VJy0A6VcFY3zoo7Ve1AIRI="
    ),
  ])
  func `keyed hashes`(_ key: [UInt8], _ message: String, _ value: String) {
    // The values are those of the RFC in Base64.
    #expect(Base64Text.encode(HMAC.code(.sha1, key: key, Array(message.utf8))) == value)
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("ä:", "w6Q6")])
  func `Base64 is written by RFC 4648`(_ plain: String, _ text: String) {
    #expect(Base64Text.encode(Array(plain.utf8)) == text)
    #expect(Base64Text.encodeForURL([0xFB, 0xFF, 0xFE, 0xFF]) == "-__-_w")
  }
}
