import GatebookEvents
import GatebookTestSupport
import Testing

@Suite struct Base64Tests {
  // RFC 4648 section 10.
  @Test(
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func `the vectors of RFC 4648 hold in both directions`(plain: String, text: String) {
    #expect(Base64.encode(Array(plain.utf8)) == text)
    #expect(Base64.decode(text) == Array(plain.utf8))
  }

  @Test func `all characters of the alphabet are read and written`() {
    let text = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    #expect(Base64.decode(text).map { Base64.encode($0) } == text)
  }

  @Test(
    arguments: [
      "Zg", "Zg=", "Z", "Zm9v=", "=", "==", "====", "Z===", "Zg==Zg==", "Zh==", "Zm9=", "Zm8=Zm8=",
      "Zm 9v", "Zm9v\n", "Zm-v", "Zm_v", "Zmäv", "Z=g=", "=Zg=",
    ])
  func `text that is not canonical is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `random bytes come back`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for count in 0..<64 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes, "seed \(seed)")
    }
  }
}
