internal import Testing

@testable internal import GatebookCLI

/// `tools/words` finds what a reader would have to decode, and nothing else.
struct WordGuardTests {
  private static let long =
    "This sentence has more words than anybody wants to read in one breath, because it says one thing, "
    + "and then another thing, and then one more thing that nobody remembers at its end."

  /// A phrase over two lines, the first of which is long enough to have been broken.
  private static let broken =
    "The log has this line, which is long enough to be broken, and it goes\non."

  @Test(arguments: [
    "Whoever reads it.", broken, "It works by itself.", "An event behind it.",
    "It ended, for it was old.", "Nobody needs that any more.", "Log in anew.",
    "It renews the access token.", "It uses the stored credentials.", long,
  ])
  func `a planted phrase and a planted sentence are found in each kind of text`(
    _ text: String
  ) throws {
    let lines = text.split(separator: "\n")
    let line = lines.joined(separator: " ")
    let comment = lines.map { "  /// \($0)\n" }.joined()
    let literal = lines.map { "\"\($0) \"" }.joined(separator: "\n  + ")
    let block = lines.map { "  \($0) \\\n" }.joined()
    // Each comes once on the third line of a part that begins on the line that is given.
    let parts = [
      ("README.md", "# Title\n\n\(text)\n\n"),
      ("README.md", "- An item.\n  It is so.\n- \(text)\n\n"),
      ("README.md", "| `a` | b |\n|---|---|\n| `a` | \(line) |\n\n"),
      ("Sources/A/A.docc/A.md", "# Title\n\n\(text)\n"),
      ("Sources/A/A.swift", "\nlet a =\n  \(literal)\n"),
      ("Sources/A/A.swift", "\nlet b = \"\"\"\n\(block)  \"\"\"\n"),
      ("Sources/A/A.swift", "/// A.\npublic struct A {\n\(comment)  public let a = 1\n}\n"),
      ("Sources/A/A.swift", "\nenum B {\n\(comment)  case a\n}\n"),
      ("Sources/A/A.swift", "\nlet c = 1\n\(comment.replacing("///", with: "//"))let d = 1\n"),
      ("Tests/A/B.swift", "\nstruct C {\n\(comment)  let e = 1\n}\n"),
      ("Tests/A/B.swift", "\n\n@Test func `\(line)`() {}\n"),
    ]
    var texts: [String: String] = [:]
    var places: [String] = []
    for (path, part) in parts {
      let before = texts[path, default: ""]
      places.append(
        "\(path):\(before.split(separator: "\n", omittingEmptySubsequences: false).count + 2): ")
      texts[path] = before + part
    }
    let ending = try ending(
      readme: texts["README.md"] ?? "", article: texts["Sources/A/A.docc/A.md"] ?? "",
      swift: texts["Sources/A/A.swift"] ?? "", test: texts["Tests/A/B.swift"] ?? "")
    let found = ending.output.split(separator: "\n")
    #expect(found.count == places.count, "\(ending.output)")
    for place in places { #expect(found.contains { $0.hasPrefix(place) }, "\(place)") }
    #expect(ending.exit == 1)
  }

  @Test(arguments: [
    "It stands for a word.", "A server behind a proxy.", "Use `goes on` or ``anew``.",
    "<doc:Anew> and [this](https://whoever.example/goes%20on).", "```sh\nwhoever goes on\n```",
    "One two three four five six seven eight nine ten. One two three four five six seven eight nine "
      + "ten: one two three four five six seven eight nine ten; one two three four five six seven.",
    "`one two three four five six seven eight nine ten one two three four five six seven eight nine "
      + "ten one two three four five six seven eight nine ten one two` is one word.",
  ])
  func `code, links and short sentences are not blamed`(_ text: String) throws {
    try expect(0, readme: "# Title\n\n\(text)\n", article: "# Title\n\n\(text)\n")
  }

  @Test(arguments: [
    "let a = \"SELECT whoever FROM anew\"",
    "/* \"Whoever goes on\" */ let a = /\"[^\"]/",
    "// RFC 1: \"Whoever goes on reading this rule anew is told the same.\"\nlet a = 1",
    "let a = \"It is \\(word(\"anew\")) here.\"", "let a = \"anew\"",
    "let a = #\"\\(anew it is)\"#",
  ])
  func `other languages, quotations and single words are not blamed`(_ text: String) throws {
    let count = text.hasPrefix("let a = #") ? 1 : 0  // no interpolation
    try expect(count, swift: "\(text)\nlet b = \"It is good.\"\n")
  }

  @Test func `the count names rules and files, and a wrong option is an error`() throws {
    let counts = try ending(readme: "Whoever goes on.\n", option: "--count")
    #expect(counts.exit == 1)
    #expect(counts.output.contains("2 rule plain words\n"), "\(counts.output)")
    #expect(counts.output.contains("2 file README.md\n"), "\(counts.output)")
    #expect(try ending(option: "--none").exit == 2)
    #expect(try ending(option: "--help").exit == 0)
  }

  private func expect(
    _ count: Int, readme: String = "", article: String = "", swift: String = ""
  ) throws {
    let ending = try ending(readme: readme, article: article, swift: swift)
    #expect(ending.output.split(separator: "\n").count == count, "\(ending.output)")
    #expect(ending.exit == (count == 0 ? 0 : 1), "\(ending.output)")
  }

  private func ending(
    readme: String = "", article: String = "", swift: String = "", test: String = "",
    option: String = ""
  ) throws -> Repository.Ending {
    let folder = try TemporaryFolder(named: "gatebook-test")
    defer { folder.remove() }
    let path = ShellText.quoted(folder.path)
    #expect(try Repository.run("mkdir -p \(path)/Sources/A/A.docc \(path)/Tests/A").exit == 0)
    try TextFile.write(Array(readme.utf8), to: "\(folder.path)/README.md")
    try TextFile.write(Array(article.utf8), to: "\(folder.path)/Sources/A/A.docc/A.md")
    try TextFile.write(Array(swift.utf8), to: "\(folder.path)/Sources/A/A.swift")
    try TextFile.write(Array(test.utf8), to: "\(folder.path)/Tests/A/B.swift")
    return try Repository.run("tools/words --root \(path) \(option)")
  }
}
