internal import Testing

@testable internal import GatebookCLI

/// `HTML`, and what scripts read.
struct HTMLTests {
  @Test(arguments: [
    ("plain é 日本", "plain é 日本"), ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
    (#"" onload="x"#, "&quot; onload=&quot;x"), ("it's", "it&#39;s"),
    ("a\u{202E}b\u{2028}c\u{0}d", #"a\u{202e}b\u{2028}c\x00d"#), ("\n", #"\n"#),
  ])
  func `a text never becomes markup`(_ text: String, _ escaped: String) {
    let html: HTML = "<i>\(text)</i>"
    #expect(html.text == "<i>\(escaped)</i>")
  }

  @Test func `markup stays what it is`() {
    let inner: HTML = "<b>\("<")</b>"
    let outer: HTML = "<i>\(inner)\(7)</i>"
    #expect(outer.text == "<i><b>&lt;</b>7</i>")
    #expect(HTML.lines([inner, "<br>"]).text == "<b>&lt;</b>\n<br>\n")
  }

  @Test(arguments: ["</script>", "<!--", "]]>", "&lt;", "\u{2028}\u{2029}", "\"\\"])
  func `a script's block has nothing that could end it`(_ text: String) throws {
    let bytes = JSON.text(text).scriptBytes
    for byte in "<>&".utf8 { #expect(!bytes.contains(byte)) }
    #expect(bytes.allSatisfy { $0 >= 0x20 && $0 < 0x80 })
  }

  @Test(arguments: [
    (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
    (100_000, "100,000"),
  ])
  func `thousands are parted`(_ number: Int, _ text: String) {
    #expect(Figure.text(number) == text)
  }

  @Test func `a frame is taken apart at its gaps`() {
    #expect(
      PageFrame(Array("a{{b-c}}{{d}}e{{f".utf8)).pieces == [
        .bytes(Array("a".utf8)), .gap("b-c"), .bytes([]), .gap("d"), .bytes(Array("e{{f".utf8)),
      ])
  }
}
