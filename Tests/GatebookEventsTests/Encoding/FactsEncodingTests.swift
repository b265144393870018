import GatebookEvents
import Testing

@Suite struct FactsEncodingTests {
  @Test(
    arguments: [
      ([:], "{}"),
      (["b": 1, "a": 2], #"{"a":2,"b":1}"#),
      (["a": nil, "b": .null], #"{"b":null}"#),
      (["yes": true, "no": false], #"{"no":false,"yes":true}"#),
      (
        ["min": .integer(.min), "max": .integer(.max)],
        #"{"max":9223372036854775807,"min":-9223372036854775808}"#
      ),
      (["list": .list([]), "object": .object([:])], #"{"list":[],"object":{}}"#),
      (
        ["deep": .list([1, .list(["x", .null]), .object(["y": -1])])],
        #"{"deep":[1,["x",null],{"y":-1}]}"#
      ),
    ] as [(Facts, String)])
  func `facts have one text`(facts: Facts, text: String) {
    #expect(String(decoding: facts.encoded, as: UTF8.self) == text)
  }

  @Test(
    arguments: [
      ("\"", #"\""#), ("\\", #"\\"#), ("\u{8}", #"\b"#), ("\t", #"\t"#), ("\n", #"\n"#),
      ("\u{C}", #"\f"#), ("\r", #"\r"#), ("\u{0}", #"\u0000"#), ("\u{B}", #"\u000b"#),
      ("\u{1F}", #"\u001f"#), ("/", "/"), ("\u{7F}", "\u{7F}"), ("\u{2028}", "\u{2028}"),
      ("ä😀", "ä😀"),
    ])
  func `texts have exactly the escapes of RFC 8785`(text: String, escaped: String) {
    let facts: Facts = ["t": .text(text)]
    #expect(facts.encoded == Array("{\"t\":\"\(escaped)\"}".utf8))
  }

  @Test func `names are in the order of their bytes`() {
    // U+FF61 sorts before U+1F600 in UTF-8 and after it in UTF-16.
    let names = ["", "A", "Z", "a", "aa", "é", "\u{FF61}", "😀"]
    var facts = Facts()
    for name in names.shuffled() { facts[name] = 1 }
    #expect(facts.names == names)
  }

  @Test func `names are compared by their bytes alone`() {
    let composed = "\u{E9}"
    let combined = "e\u{301}"
    var facts: Facts = [composed: 1]
    #expect(facts[combined] == nil)
    facts[combined] = 2
    #expect(facts[composed] == 1)
    #expect(facts.names.count == 2)
    #expect(Facts(decoding: facts.encoded)?.encoded == facts.encoded)
  }

  @Test func `of a name written twice the last value stays`() {
    let facts: Facts = ["a": 1, "b": 2, "a": 3]
    #expect(facts.encoded == Array(#"{"a":3,"b":2}"#.utf8))
  }

  @Test func `nil takes a fact away`() {
    var facts: Facts = ["a": 1, "b": 2]
    facts["a"] = nil
    facts["never"] = nil
    #expect(facts.names == ["b"])
    #expect(!facts.isEmpty)
    facts["b"] = nil
    #expect(facts.isEmpty)
  }

  @Test(
    arguments: [
      (.null, .null), (true, true), (7, 7), ("a", "a"), (.list([1, "x"]), #"[1,"x"]"#),
      (.object(["b": .list([]), "a": .null]), #"{"a":null,"b":[]}"#),
    ] as [(FactValue, FactValue)])
  func `an attribute's nested value is its JSON text`(_ value: FactValue, _ flat: FactValue) {
    #expect(value.flattened == flat)
  }
}
