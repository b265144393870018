internal import Testing

@testable internal import GatebookCLI

struct TextTableTests {
  @Test func `columns are as wide as their widest cell on the terminal`() {
    var table = TextTable(["name", .number("n"), "state"])
    table.add(["ada", "7", "active"])
    table.add(["日本語", "12", ""])
    table.add(["e\u{301}", "3", "offline"])
    table.add(["👩‍👩‍👧", "4", "x"])
    #expect(
      table.lines(hasColor: false) == [
        "name     n  state", "ada      7  active", "日本語  12", "e\u{301}        3  offline",
        "👩‍👩‍👧       4  x",
      ])
  }

  @Test func `the widest cells are cut until the line fits, numbers never`() {
    var table = TextTable(["name", .number("position"), "facts"])
    table.add(["a name of some length", "123456789", "facts of much greater length than that"])
    table.add(["日本語日本語日本語", "7", "x"])
    #expect(
      table.lines(hasColor: false, width: 40) == [
        "name            position  facts",
        "a name of so…  123456789  facts of much…",
        "日本語日本語…          7  x",
      ])
    #expect(
      table.lines(hasColor: false, width: 10) == [
        "name       position  facts", "a name …  123456789  facts o…", "日本語…           7  x",
      ])
    #expect(table.lines(hasColor: false, width: 72) == table.lines(hasColor: false))
  }

  @Test func `what is whole is never cut, and a narrow terminal does without what matters least`() {
    var table = TextTable(
      [
        .whole("time"), "who", TableColumn("why", .wrapped(atLeast: 10)),
        TableColumn("", .bars(atLeast: 4)), .number("failed logins"), .number("n"),
      ], givesUp: ["", "n", "why"])
    table.add([
      "2025-11-21 06:29:14", "ada of some place", "refused by the server for a reason",
      TextTable.Cell(bar: 1, of: 2, .good), "7", "1",
    ])
    #expect(
      table.lines(hasColor: false, width: 122)[1]
        == "2025-11-21 06:29:14  ada of some place  refused by the server for a reason  "
        + "████████████                          7  1")
    for width in [20, 34, 40, 50, 60, 70, 80, 90, 100, 110] {
      let lines = table.lines(hasColor: false, width: width)
      #expect(lines.joined().contains("2025-11-21 06:29:14"), "\(width)")
      let words = lines.dropFirst().joined(separator: " ").split(separator: " ")
      for word in ["refused", "by", "the", "server", "for", "a", "reason", "7"] {
        #expect(words.contains(Substring(word)), "\(width): \(lines)")
      }
      #expect(width < 40 || lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(width): \(lines)")
    }
    #expect(
      table.lines(hasColor: false, width: 40) == [
        "time                 who          failed",
        "                                  logins",
        "2025-11-21 06:29:14  ada of som…       7",
        "    refused by the server for a reason",
      ])
  }

  @Test func `words are wrapped, and only a word longer than a line is cut in two`() {
    #expect(WrappedText.lines("a bc def", width: 4) == ["a bc", "def"])
    #expect(WrappedText.lines("abcdefghij k", width: 4) == ["abcd", "efgh", "ij k"])
    #expect(WrappedText.lines("日本語", width: 4) == ["日本", "語"])
    #expect(WrappedText.lines("", width: 4) == [""])
    #expect(WrappedText.lines("  a", width: 4) == ["  a"])
    #expect(
      WrappedText.paragraph("  7  ", "one two three four five", width: 26) == [
        "  7  one two three four", "     five",
      ])
    #expect(WrappedText.paragraph("x ", "one two", width: nil) == ["x one two"])
  }

  @Test func `colours do not move columns`() {
    var table = TextTable(["a", "b"])
    table.add([TextTable.Cell("x", .good), "y"])
    table.add(["long", "z"])
    #expect(
      table.lines(hasColor: true) == [
        "\u{1B}[2ma\u{1B}[0m     \u{1B}[2mb\u{1B}[0m", "\u{1B}[32mx\u{1B}[0m     y", "long  z",
      ])
  }

  @Test(arguments: [
    ("\u{1b}]0;owned\u{7}", #"\x1b]0;owned\x07"#), ("a\nb", #"a\nb"#), ("\u{85}", #"\x85"#),
    ("\u{202e}evil", #"\u{202e}evil"#), ("plain ü", "plain ü"),
  ])
  func `a cell never steers the terminal`(_ text: String, _ expected: String) {
    #expect(TextTable.Cell(text).text == expected)
  }
}
