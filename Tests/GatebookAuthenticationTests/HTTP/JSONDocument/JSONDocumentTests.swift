internal import GatebookAuthentication
internal import GatebookEvents
internal import GatebookTestSupport
internal import Testing

/// RFC 8259, and what Gatebook asks beyond it.
@Suite struct JSONDocumentTests {
  private func read(_ text: String) -> FactValue? {
    JSONDocument.read(Array(text.utf8))
  }

  @Test(arguments: [
    ("null", FactValue.null), ("true", .bool(true)), (" false\r\n\t ", .bool(false)),
    ("0", .integer(0)), ("-0", .integer(0)), ("-12", .integer(-12)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .text("9223372036854775808")), ("1.0", .text("1.0")),
    ("-1.50e+10", .text("-1.50e+10")), ("1E2", .text("1E2")), ("0e0", .text("0e0")),
    ("0.0", .text("0.0")),
    ("\"\"", .text("")), ("\"a\u{7F}ü\u{1F511}\u{2028}\"", .text("a\u{7F}ü\u{1F511}\u{2028}")),
    ("[]", .list([])), ("[ 1 , [ ] ]", .list([.integer(1), .list([])])), ("{}", .object([:])),
    (
      " { \"a\" : { \"b\" : [ null ] } , \"\" : \"c\" } ",
      .object(["a": .object(["b": .list([.null])]), "": .text("c")])
    ),
    ("\u{FEFF}[1]", .list([.integer(1)])),
  ])
  func `a value is read`(_ text: String, _ expected: FactValue) {
    #expect(read(text) == expected)
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e4\u20AC\u0000""#, "Aä€\u{0}"),
    (#""\uD83D\uDD11""#, "\u{1F511}"), (#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"),
    (#""\uD83D""#, "\u{FFFD}"), (#""\uDD11""#, "\u{FFFD}"), (#""\uD83Dx""#, "\u{FFFD}x"),
    (#""\uDD11\uD83D""#, "\u{FFFD}\u{FFFD}"), (#""\uD83D\n""#, "\u{FFFD}\n"),
    (#""\uD83D\u0041""#, "\u{FFFD}A"), (#""\uD83D\uD83D\uDD11""#, "\u{FFFD}\u{1F511}"),
  ])
  func `escapes are characters`(_ text: String, _ expected: String) {
    #expect(read(text)?.text?.unicodeScalars.elementsEqual(expected.unicodeScalars) == true)
  }

  @Test(arguments: [
    "", " ", "\u{FEFF}", "\u{FEFF}\u{FEFF}1", "nul", "True", "nulll", "1 2", "[1]]", "[", "{", "\"",
    "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,",
    "{\"a\":1,}",
    "{,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{'a':1}", "'a'", "[1}", "{\"a\":1]", "+1", "-", "01",
    "-01", "00", "1.", ".1", "1.e1", "1e", "1e+", "1e+-1", "0x1", "NaN", "Infinity", "1a", "--1",
    "\"\n\"", "\"\u{0}\"", "\"\t\"", "\"\\\"", "\"\\x\"", "\"\\u\"", "\"\\u12\"", "\"\\u12G4\"",
    "\"\\uD83D\\u12\"", "\"\\uD83D\\x\"", "\"\\U0041\"", "/**/1", "1//", "\u{A0}1", "\u{B}1",
    "<html></html>", "{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":{\"c\":1,\"c\":2}}",
    "{\"a\":1,\"\\u0061\":2}",
  ])
  func `anything else is refused`(_ text: String) {
    #expect(read(text) == nil)
  }

  @Test(arguments: [
    [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
    [0x22, 0xE2, 0x82, 0x22], [0x31, 0xFF], [0xFE, 0xFF, 0x00, 0x31], [0x31, 0x00],
    [0xEF, 0xBB, 0x31],
  ])
  func `bytes that are not UTF-8 are refused`(_ bytes: [UInt8]) {
    #expect(JSONDocument.read(bytes) == nil)
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
  func `32 levels are read, more are refused`(_ open: String, _ close: String) {
    func nested(_ depth: Int) -> String {
      String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
    }
    #expect(read(nested(32)) != nil)
    #expect(read(nested(33)) == nil)
    #expect(read(String(repeating: open, count: 200_000)) == nil)
  }

  @Test(arguments: ["ascending", "descending", "random"])
  func `65,536 members are read in any order, more are refused`(_ order: String) {
    func document(_ count: Int) -> String {
      var random = SplitMix(seed: 11)
      let members = (0..<count).map { "\"m\($0)\":\($0)" }
      let ordered =
        switch order {
        case "ascending": members
        case "descending": Array(members.reversed())
        default: members.shuffled(using: &random)
        }
      return "{\(ordered.joined(separator: ","))}"
    }
    let facts = read(document(1 << 16))?.object
    #expect(facts?.names.count == 1 << 16)
    #expect(facts?["m65535"] == .integer(65_535))
    #expect(read(document((1 << 16) + 1)) == nil)
    // Objects count for themselves.
    #expect(read("[\(document(33_000)),\(document(33_000))]") != nil)
  }

  @Test func `a document above the caller's size is refused`() {
    #expect(JSONDocument.read(Array("[1]".utf8), maximumSize: 3) != nil)
    #expect(JSONDocument.read(Array("[1] ".utf8), maximumSize: 3) == nil)
  }

  @Test func `the recorded answers are read`() throws {
    let user = try #require(JSONDocument.read(PackageResources.user_v62_json)?.object)
    #expect(!user.isEmpty)
    #expect(JSONDocument.read(PackageResources.oauth2_token_responses_json) != nil)
    #expect(JSONDocument.read(PackageResources.jsonws_exceptions_json) != nil)
  }
}
