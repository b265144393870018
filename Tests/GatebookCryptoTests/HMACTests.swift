internal import GatebookCrypto
internal import Testing

/// The vectors of RFC 4231 section 4, and the code of nothing under no key.
struct HMACTests {
  @Test(arguments: [
    (
      bytes(0x0B, times: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      bytes(0xAA, times: 20), bytes(0xDD, times: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      [UInt8](1...25), bytes(0xCD, times: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      bytes(0xAA, times: 131),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      bytes(0xAA, times: 131),
      Array(
        """
        This is a test using a larger than block-size key and a larger than block-size data. \
        The key needs to be hashed before being used by the HMAC algorithm.
        """.utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
    ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
  ])
  func `a message has the standard's code`(_ key: [UInt8], _ message: [UInt8], _ code: String) {
    #expect(HMAC.sha256(key: key, message) == hex(code))
  }

  // Cases 1, 2 and 6 of RFC 2202 section 3.
  @Test(arguments: [
    (
      bytes(0x0B, times: 20), Array("Hi There".utf8), "b617318655057264e28bc0b6fb378c8ef146be00"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
    ),
    (
      bytes(0xAA, times: 80),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "aa4ae5e15272d00e95705637ce8a3b55ed402112"
    ),
    ([], [], "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"),
  ])
  func `a message has the standard's code of SHA-1`(
    _ key: [UInt8], _ message: [UInt8], _ code: String
  ) {
    #expect(HMAC.code(.sha1, key: key, message) == hex(code))
  }
}
