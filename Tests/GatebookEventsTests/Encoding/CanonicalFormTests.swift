import GatebookEvents
import Testing

@Suite struct CanonicalFormTests {
  @Test(arguments: [
    "{}", #"{"a":1}"#, #"{"a":-1,"b":[],"c":{},"d":[1,"x",null,true,false,{"e":0}]}"#,
    #"{"a":9223372036854775807}"#, #"{"a":-9223372036854775808}"#, #"{"a":9223372036854775808}"#,
    #"{"ä":"ö\n\u0001"}"#, #"{"a":"\u000a"}"#, #"{"a":"\/"}"#, #"{"a":1,"a":2}"#,
    #"{"b":1,"a":2}"#, #"{"a":1,"aa":2}"#, #"{"aa":1,"a":2}"#, #"{"a":1.5}"#, #"{"a":1e3}"#,
    #"{"a":-0}"#, #"{"a":01}"#, #"{"a":-}"#, #"{"a": 1}"#, #"{"a":1,}"#, #"{"a":[1,]}"#,
    #"{"a":"x}"#, #"{"a"}"#, "{", "[]", "1", "", "null", #"{"a":nul}"#, #"{"a":1}x"#,
    #"{"a":"\#u{1}"}"#, "}", "{}{}", "{} ", " {}", #"{"a":1}}"#, #"{"a":}"#, #"{"a" :1}"#,
    #"{a:1}"#,
    #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#, #"{"a":"\u12"}"#, #"{"a":[1 2]}"#, #"{"a":1 "b":2}"#,
    #"{"\n":1,"a":1}"#, #"{"a":99999999999999999999}"#, "{\"a\":\"\u{7f}\"}",
    #"{"a":t}"#, #"{"a":truefalse}"#, #"{"a":-"#, #"{"a":1"#,
  ])
  func `it takes exactly what facts are read from`(_ text: String) {
    #expect(holds(Array(text.utf8)) == (Facts(decoding: text.utf8) != nil))
    if isPlain(text) { #expect(Facts(decoding: text.utf8) != nil) }
  }

  @Test(arguments: [
    (#"{"a":-92233720368547758,"b":[],"c":[1,"x",null,{"d":true}]}"#, true), ("{}", true),
    (#"{"a":"\n"}"#, false), ("{\"a\":\"\u{7f}\"}", false), ("{\"a\":\"é\"}", false), ("[]", false),
  ])
  func `text that is passed on unchanged has no escape and is printable ASCII`(
    _ text: String, _ isPlain: Bool
  ) {
    #expect(self.isPlain(text) == isPlain)
    #expect(holds(Array(text.utf8)) == text.hasPrefix("{"))
  }

  @Test func `depth and bytes that are no text`() {
    for depth in 14...18 {
      let text =
        String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
      #expect(holds(Array(text.utf8)) == (Facts(decoding: text.utf8) != nil), "\(depth)")
    }
    #expect(!holds([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]))
  }

  private func isPlain(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { CanonicalForm.isPlain($0) }
  }

  private func holds(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { CanonicalForm.holds($0) }
  }
}
