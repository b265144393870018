internal import GatebookCrypto
internal import Testing

/// The examples of RFC 1321 appendix A.5 and of FIPS 180-4: "abc", and nothing.
struct HashFunctionTests {
  @Test(arguments: [
    (
      HashFunction.md5, "abc",
      "900150983cd24fb0d6963f7d28e17f72"
    ),
    (
      HashFunction.md5, "",
      "d41d8cd98f00b204e9800998ecf8427e"
    ),
    (
      HashFunction.sha1, "abc",
      "a9993e364706816aba3e25717850c26c9cd0d89d"
    ),
    (
      HashFunction.sha1, "",
      "da39a3ee5e6b4b0d3255bfef95601890afd80709"
    ),
    (
      HashFunction.sha256, "abc",
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    ),
    (
      HashFunction.sha256, "",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    ),
    (
      HashFunction.sha384, "abc",
      """
      cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc23
      58baeca134c825a7
      """
    ),
    (
      HashFunction.sha384, "",
      """
      38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fb
      d51ad2f14898b95b
      """
    ),
    (
      HashFunction.sha512, "abc",
      """
      ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a8
      36ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
      """
    ),
    (
      HashFunction.sha512, "",
      """
      cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0
      ff8318d2877eec2f63b931bd47417a81a538327af927da3e
      """
    ),
    (
      HashFunction.sha512Over256, "abc",
      "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"
    ),
    (
      HashFunction.sha512Over256, "",
      "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"
    ),
  ])
  func `a message has the standard's hash`(
    _ function: HashFunction, _ message: String, _ hash: String
  ) {
    #expect(function.hash(Array(message.utf8)) == hex(hash))
    #expect(function.count == hex(hash).count)
  }

  @Test
  func `SHA-512/256 is no cut SHA-512`() {
    let cut = HashFunction.sha512.hash([1]).prefix(32)
    #expect(HashFunction.sha512Over256.hash([1]) != Array(cut))
  }

  @Test(arguments: HashFunction.allCases)
  func `every hash is available here`(_ function: HashFunction) {
    #expect(function.isAvailable)
  }
}
