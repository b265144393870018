internal import COpenSSL
internal import GatebookCrypto
internal import Testing

/// The vectors of RFC 7914 section 12, without the one that takes a gigabyte.
struct ScryptTests {
  @Test(arguments: [
    (
      "", "", (16, 1, 1),
      """
      77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
      fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
      """
    ),
    (
      "password", "NaCl", (1024, 8, 16),
      """
      fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
      2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
      """
    ),
    (
      "pleaseletmein", "SodiumChloride", (16_384, 8, 1),
      """
      7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
      d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
      """
    ),
  ])
  func `a password gives the standard's key`(
    _ password: String, _ salt: String, _ cost: (Int, Int, Int), _ key: String
  ) {
    #expect(derive(password, salt, cost, count: 64) == hex(key))
  }

  @Test
  func `the cost that a book uses fits into memory`() {
    let key = hex("aa6b264e05219145de9ee3be635c6926423619248d53fbe162940b97c1766983")
    #expect(derive("correct horse", "0123456789abcdef", (1 << 17, 8, 1), count: 32) == key)
  }

  @Test(arguments: [
    (0, 8, 1), (1, 8, 1), (-2, 8, 1), (1_000, 8, 1), (16, 0, 1), (16, -1, 1), (16, 8, 0),
    (16, 8, -1), (.min, .min, .min), (.max, .max, .max), (1 << 62, 8, 1), (1 << 21, 16, 1),
    (16, 8, 1 << 30), (16, 1 << 30, 1),
    // RFC 7914 section 2: N must be "less than 2^(128 * r / 8)".
    (1 << 16, 1, 1),
  ])
  func `a cost that is malformed or out of reach is refused`(_ cost: (Int, Int, Int)) {
    #expect(derive("password", "NaCl", cost, count: 32) == nil)
    #expect(ERR_peek_error() == 0)
  }

  @Test(arguments: [0, -1])
  func `a key without bytes is refused`(_ count: Int) {
    #expect(derive("password", "NaCl", (16, 1, 1), count: count) == nil)
  }

  private func derive(
    _ password: String, _ salt: String, _ cost: (Int, Int, Int), count: Int
  ) -> [UInt8]? {
    Scrypt.derive(
      password: Array(password.utf8), salt: Array(salt.utf8), cost: cost.0, blockSize: cost.1,
      parallelism: cost.2, count: count)
  }
}
