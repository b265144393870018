import GatebookEvents
import GatebookTestSupport
import Testing

@Suite struct FactsDecodingTests {
  @Test(
    arguments: [
      "", "{", "}", "[]", "1", "null", "\"a\"", "{}{}", "{} ", " {}", "{}\n", "{ }", "{\"a\" :1}",
      "{\"a\": 1}", "{\"a\":1 }", "{\"a\":1,}", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1",
      "{\"a\":1]", "{a:1}", "{'a':1}",
      // names: out of order, twice, twice by another escape
      "{\"b\":1,\"a\":2}", "{\"a\":1,\"a\":1}", "{\"aa\":1,\"a\":2}",
      // numbers
      "{\"a\":+1}", "{\"a\":-0}", "{\"a\":00}", "{\"a\":01}", "{\"a\":-}", "{\"a\":--1}",
      "{\"a\":1-}", "{\"a\":1.0}", "{\"a\":1e3}", "{\"a\":9223372036854775808}",
      "{\"a\":-9223372036854775809}", "{\"a\":0x1}", "{\"a\":NaN}",
      // words
      "{\"a\":True}", "{\"a\":tru}", "{\"a\":nul}", "{\"a\":undefined}", "{\"a\":falsey}",
      // lists
      "{\"a\":[}", "{\"a\":[1,]}", "{\"a\":[,1]}", "{\"a\":[1 ,2]}", "{\"a\":[1}", "{\"a\":[1",
      // texts
      "{\"a\":\"", "{\"a\":\"\\\"}", "{\"a\":\"\\/\"}", "{\"a\":\"\\u0041\"}",
      "{\"a\":\"\\u000a\"}", "{\"a\":\"\\u001F\"}", "{\"a\":\"\\u00\"}", "{\"a\":\"\\u00e9\"}",
      "{\"a\":\"\\uD83D\\uDE00\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\n\"}", "{\"a\":\"\u{0}\"}",
    ])
  func `what the writer would not write is refused`(text: String) {
    #expect(Facts(decoding: Array(text.utf8)) == nil)
  }

  @Test(
    arguments: [
      [0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are refused`(bytes: [UInt8]) {
    let quote = Array("\"".utf8)
    #expect(Facts(decoding: Array("{\"a\":\"".utf8) + bytes + quote + Array("}".utf8)) == nil)
    #expect(Facts(decoding: Array("{\"".utf8) + bytes + quote + Array(":1}".utf8)) == nil)
  }

  @Test func `sixteen levels are read and written, seventeen are not`() {
    func nested(_ levels: Int) -> Facts {
      var facts: Facts = [:]
      for _ in 1..<levels { facts = ["a": .object(facts)] }
      return facts
    }
    #expect(Facts(decoding: nested(16).encoded) == nested(16))
    #expect(nested(16).depth == Facts.maximumDepth)
    #expect(Facts(decoding: nested(17).encoded) == nil)
    #expect(nested(17).depth == Facts.maximumDepth + 1)
    let deep: Facts = ["a": .list([.list([.integer(1)])])]
    #expect(deep.depth == 4)
  }

  @Test func `a hundred thousand brackets are refused without a trap`() {
    #expect(Facts(decoding: Array(repeating: UInt8(ascii: "["), count: 100_000)) == nil)
    #expect(Facts(decoding: Array("{\"a\":".utf8) + Array(repeating: 0x5B, count: 100_000)) == nil)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `what is decoded is what was encoded`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<25 {
      let facts = Facts.random(&random)
      #expect(Facts(decoding: facts.encoded) == facts, "seed \(seed)")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `changed bytes decode to themselves or not at all`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<50 {
      var bytes = Facts.random(&random).encoded
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if let facts = Facts(decoding: bytes) { #expect(facts.encoded == bytes, "seed \(seed)") }
    }
  }
}
