internal import Testing

@testable internal import GatebookCLI

/// Links of the README and of the articles; `tools/docs site` also checks those of the web site.
struct DocumentLinkTests {
  @Test func `no link of a document is dead`() throws {
    let ending = try Repository.run("tools/links/check --quiet")
    #expect(ending.exit == 0, "\(ending.output)")
  }

  @Test(arguments: [
    ("[a](none.md)", "none.md: there is no such file"),
    ("![a](<no picture.png>)", "no picture.png: there is no such file"),
    ("[a](Some.docc/Some.md#other)", "Some.docc/Some.md#other: the file has no such heading"),
    ("[a](#other)", "#other: the file has no such heading"),
    ("[a](../README.md)", "../README.md: it leads out of the repository"),
    ("[a][b]", "[b]: there is no such file"),
  ])
  func `a dead link of the README is found`(_ text: String, _ line: String) throws {
    try check(readme: "# Title\n\n\(text)\n", expect: "README.md:3: \(line)")
  }

  @Test(arguments: [
    ("<doc:None>", "doc:None: there is no such article"),
    ("[a](Some.md)", "Some.md: an article is named <doc:Some>"),
    ("[a](none)", "none: an article links to"),
  ])
  func `a dead link of an article is found`(_ text: String, _ line: String) throws {
    try check(article: "# Title\n\n\(text)\n", expect: "Some.docc/Some.md:3: \(line)")
  }

  @Test(arguments: [
    "[a](Some.docc/Some.md#a-heading-of-code)", "[a](#title)", "`[a](none.md)`",
    "```md\n[a](none.md)\n```", "<https://example.org/>", "[a][b]\n\n[b]: Some.docc",
  ])
  func `a link that leads somewhere is not blamed, and code is no link`(_ text: String) throws {
    try check(
      readme: "# Title\n\n\(text)\n",
      article: "# Some\n\n## A `heading` of code\n\n<doc:Some>, [a](doc:Some)\n", expect: nil)
  }

  private func check(
    readme: String = "# Title\n", article: String = "# Title\n", expect line: String?
  ) throws {
    let folder = try TemporaryFolder(named: "gatebook-test")
    defer { folder.remove() }
    let path = ShellText.quoted(folder.path)
    #expect(try Repository.run("mkdir \(path)/Some.docc").exit == 0)
    try TextFile.write(Array(readme.utf8), to: "\(folder.path)/README.md")
    try TextFile.write(Array(article.utf8), to: "\(folder.path)/Some.docc/Some.md")
    let ending = try Repository.run("tools/links/check --quiet --root \(path)")
    #expect(ending.exit == (line == nil ? 0 : 1), "\(ending.output)")
    if let line { #expect(ending.output.contains(line), "\(ending.output)") }
  }
}
