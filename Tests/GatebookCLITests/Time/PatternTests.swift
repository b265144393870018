import GatebookSystem
import Testing

/// Expressions of the C library.
@Suite struct PatternTests {
  @Test(
    arguments: [
      ("", nil), ("9:15", ["9:15", "9", "15"]), ("19:15", ["19:15", "19", "15"]), ("9:15\n", nil),
      ("9:1\u{0}5", nil), ("é9:15", nil), ("119:15", nil),
    ] as [(String, [String]?)])
  func `a whole text fits or does not`(text: String, groups: [String]?) {
    let match = Pattern("^([0-9]{1,2}):([0-9]{2})$").match(in: text)
    #expect(match.map { match in (0...2).map { String(match[$0] ?? "") } } == groups)
  }

  @Test func `a group that was not used is nil, and the longest match is taken`() {
    let pattern = Pattern("(a)|(ab)(c)?")
    let match = pattern.match(in: "xabc")
    #expect(match?.whole == "abc")
    #expect(match?[1] == nil)
    #expect(match?[2] == "ab")
    #expect(pattern.match(in: "xab"[...].dropFirst())?[3] == nil)
  }

  @Test func `all matches are replaced, and other characters stay`() {
    let text = "ä1–22\u{0}333 é"
    let pattern = Pattern("[0-9]+")
    #expect(pattern.matches(in: text).map(\.whole) == ["1", "22", "333"])
    #expect(pattern.replace(in: text) { "<\($0.whole)>" } == "ä<1>–<22>\u{0}<333> é")
    #expect(Pattern("</SCRIPT", ignoresCase: true).match(in: "a</Script>")?.whole == "</Script")
    #expect(Pattern("x").replace(in: "", by: { _ in "y" }).isEmpty)
  }
}
