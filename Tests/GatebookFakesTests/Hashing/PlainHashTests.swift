import Testing

@testable import GatebookFakes

@Suite struct PlainHashTests {
  /// Lengths on both sides of every edge of the padding; the values are another program's.
  @Test(arguments: [
    (0, "d41d8cd98f00b204e9800998ecf8427e", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    (55, "ef1772b6dff9a122358552954ad0df65", "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
    (56, "3b0c8ac703f828b04c6c197006d17218", "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
    (63, "b06521f39153d618550606be297466d5", "03f09f5b158a7a8cdad920bddc29b81c18a551f5"),
    (64, "014842d480b571495a4a0363793f7367", "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    (119, "8a7bd0732ed6a28ce75f6dabc90e1613", "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56"),
    (120, "5f61c0ccad4cac44c75ff505e1f1e537", "f34c1488385346a55709ba056ddd08280dd4c6d6"),
  ])
  func `messages of every length are padded right`(_ count: Int, _ md5: String, _ sha1: String) {
    let message = String(repeating: "a", count: count)
    #expect(PlainHash.md5.hex(message) == md5)
    #expect(PlainHash.sha1.hex(message) == sha1)
  }

  @Test(arguments: [
    (PlainHash.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),  // RFC 1321 A.5
    (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),  // RFC 3174 section 7.3
    (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `the standards' own examples`(_ hash: PlainHash, _ message: String, _ value: String) {
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
    #expect(Base64Text.encode(PlainHash.sha1.keyed(key, Array(message.utf8))) == value)
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("ä:", "w6Q6")])
  func `Base64 is written by RFC 4648`(_ plain: String, _ text: String) {
    #expect(Base64Text.encode(Array(plain.utf8)) == text)
    #expect(Base64Text.encodeForURL([0xFB, 0xFF, 0xFE, 0xFF]) == "-__-_w")
  }
}
