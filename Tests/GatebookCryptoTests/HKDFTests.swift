internal import GatebookCrypto
internal import Testing

/// The SHA-256 vectors of RFC 5869 appendix A.
struct HKDFTests {
  @Test
  func `test case A 1 gives its key`() {
    let key = HKDF.sha256(
      secret: bytes(0x0B, times: 22), salt: [UInt8](0x00...0x0C), info: [UInt8](0xF0...0xF9),
      count: 42)
    #expect(
      key
        == hex(
          "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
            + "34007208d5b887185865"))
  }

  @Test
  func `test case A 2 with longer inputs gives its key`() {
    let key = HKDF.sha256(
      secret: [UInt8](0x00...0x4F), salt: [UInt8](0x60...0xAF), info: [UInt8](0xB0...0xFF),
      count: 82)
    #expect(
      key
        == hex(
          "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
            + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
            + "cc30c58179ec3e87c14c01d5c1f3434f1d87"))
  }

  @Test
  func `test case A 3 without salt and info gives its key`() {
    let key = HKDF.sha256(secret: bytes(0x0B, times: 22), salt: [], info: [], count: 42)
    #expect(
      key
        == hex(
          "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
            + "9d201395faa4b61a96c8"))
  }

  @Test
  func `no salt stands for zeros of the hash's length`() {
    let secret = bytes(0x0B, times: 22)
    let zeros = bytes(0, times: 32)
    #expect(
      HKDF.sha256(secret: secret, salt: [], info: [1], count: 32)
        == HKDF.sha256(secret: secret, salt: zeros, info: [1], count: 32))
  }

  @Test
  func `another purpose gives another key`() {
    let secret = bytes(0x0B, times: 22)
    let keys = (0..<16).map { HKDF.sha256(secret: secret, salt: [], info: [$0], count: 32) }
    #expect(Set(keys).count == 16)
  }

  @Test
  func `the longest key is 255 hashes long`() {
    let key = HKDF.sha256(secret: [1], salt: [], info: [], count: 8_160)
    #expect(key.count == 8_160)
    #expect(key.prefix(32) == HKDF.sha256(secret: [1], salt: [], info: [], count: 32)[...])
  }
}
