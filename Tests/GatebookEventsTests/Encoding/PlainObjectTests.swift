import Testing

@testable import GatebookEvents

@Suite struct PlainObjectTests {
  private static func holds(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { PlainObject.holds($0) }
  }

  @Test(arguments: [
    "{}", #"{"a":1}"#, #"{"a":-922337203685477580,"b":[],"c":[1,"x",null,{"d":true}]}"#,
    #"{"a":"\"\\\b\f\n\r\t","b":false}"#, #"{"a":0}"#, #"{"a":1,"aa":2,"b":3}"#,
  ])
  func `what a writer writes can be handed on`(_ text: String) {
    #expect(Self.holds(text))
    #expect(Facts(decoding: Array(text.utf8)) != nil)
  }

  @Test(arguments: [
    "", "{", "}", "[]", "1", "\"a\"", "{}{}", "{} ", " {}", #"{"a":1}}"#, #"{"a":1,}"#, #"{"a"}"#,
    #"{"a":}"#, #"{"a" :1}"#, #"{a:1}"#, #"{"a":01}"#, #"{"a":-}"#, #"{"a":1.5}"#, #"{"a":1e3}"#,
    #"{"a":tru}"#, #"{"a":"x}"#, #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#, #"{"a":"\u12"}"#,
    "{\"a\":\"\n\"}", "{\"a\":\"\u{7f}\"}", "{\"a\":\"é\"}", #"{"a":[1,]}"#, #"{"a":[1 2]}"#,
    #"{"a":1 "b":2}"#, #"{"a":1,"a":1}"#, #"{"b":1,"a":1}"#, #"{"a":-0}"#, #"{"\n":1,"a":1}"#,
    #"{"a":99999999999999999999}"#, #"{"a":"\/"}"#,
  ])
  func `anything else is read first`(_ text: String) {
    #expect(!Self.holds(text))
  }

  @Test func `depth ends where the reader's does`() {
    for depth in 1...20 {
      let text =
        String(repeating: #"{"a":"#, count: depth - 1) + "{}"
        + String(
          repeating: "}", count: depth - 1)
      #expect(Self.holds(text) == (Facts(decoding: Array(text.utf8)) != nil), "\(depth)")
    }
  }
}
