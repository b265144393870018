import GatebookEvents
import GatebookTestSupport
import Testing

@Suite struct Base64URLTests {
  // RFC 4648 section 10 without padding, and RFC 7515 appendix C.
  @Test(
    arguments: [
      ([], ""), (Array("f".utf8), "Zg"), (Array("fo".utf8), "Zm8"), (Array("foo".utf8), "Zm9v"),
      (Array("foob".utf8), "Zm9vYg"), ([3, 236, 255, 224, 193], "A-z_4ME"),
    ] as [([UInt8], String)])
  func `the standard's vectors hold in both directions`(bytes: [UInt8], text: String) {
    #expect(Base64URL.encode(bytes) == text)
    #expect(Base64URL.decode(text) == bytes)
  }

  @Test(
    arguments: [
      "Z", "Zg==", "Zg=", "Zm9v=", "=", "====", "Zh", "Zm9", "Zm9vY", "A+z/4ME", "A-z/4ME",
      "Zm 9v", "Zm9v\n", "Zmäv", "Zg.",
    ])
  func `text that is not canonical is refused`(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `random bytes come back`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for count in 0..<64 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes, "seed \(seed)")
    }
  }
}
