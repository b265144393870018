internal import Testing

@testable internal import GatebookCLI

struct TextTableTests {
  @Test func `columns are as wide as their widest cell on the terminal`() {
    var table = TextTable(["name", "n", "state"], rightAligned: [1])
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
    var table = TextTable(["name", "position", "facts"], rightAligned: [1])
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
