internal import Testing

@testable internal import GatebookCLI

/// What is wrong in a block of code is found, and told by the document's name and line.
@Suite(.serialized)
struct CodeBlockFaultTests {
  private func blocks(_ text: String) -> [CodeBlock] {
    CodeBlock.blocks(in: text, of: "Some.md")
  }

  @Test func `blocks are read with their lines and languages`() {
    let found = blocks(
      "# A\n\n```sh\na\n```\n\n- b\n  ```swift\n  c\n    d\n  ```\n\n````\n```\n````\n")
    #expect(found.map(\.line) == [3, 8, 13])
    #expect(found.map(\.language) == ["sh", "swift", ""])
    #expect(found.map(\.text) == ["a\n", "c\n  d\n", "```\n"])
  }

  @Test func `blocks are joined until one begins with an import`() {
    let texts = [
      "let a = 1", "let b = a", "import Gatebook\nlet c = 1", "dependencies: []", "_ = c",
    ]
    let text = texts.map { "```swift\n\($0)\n```\n" }.joined()
    let programs = SwiftProgram.programs(of: blocks(text))
    #expect(programs.map(\.isManifest) == [false, true, false])
    #expect(programs.map { $0.blocks.map(\.line) } == [[1, 4], [11], [7, 14]])
  }

  @Test(arguments: [
    ("let a: Int = \"b\"", "Some.md:4:14: error: cannot convert value of type 'String'"),
    ("let a = HTTPURL(\"c\")\n```\n\n```swift\nprint(b)", "Some.md:8:7: error: cannot find 'b'"),
    ("dependencies: [.package(paths: \"a\")]", "Some.md:4:24: error: "),
    ("func a() { let b = 1 }", "Some.md:4:16: error: "),
    ("import GatebookNone", "Some.md:4:8: error: no such module 'GatebookNone'"),
  ])
  func `the compiler's messages name the document and its line`(
    _ code: String, _ message: String
  ) throws {
    let programs = SwiftProgram.programs(of: blocks("# A\n\n```swift\n\(code)\n```\n"))
    let problems = try #require(try programs.first?.problems())
    #expect(problems.contains(message), "\(problems)")
  }

  @Test(arguments: [
    ("gatebook whoamy", "`gatebook whoamy`"), ("gatebook login http --url ...", "... stands for"),
    ("a=1 && gatebook log --fail", "`gatebook log --fail`"),
    ("tools/none", "no program tools/none"),
    ("sudo rmdir /tmp/x", "rmdir is not among"), ("swift build --product none", "no product none"),
    ("echo \"$(gatebook tokens)\"", "`gatebook tokens`"),
  ])
  func `a command that a reader could not paste is found`(_ command: String, _ part: String) throws
  {
    let text = "# A\n\n```sh\ngatebook   # status\n\(command)\n```\n"
    let problems = try CodeBlockTests.problems(ofCommandsIn: blocks(text))
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("Some.md:5: ") == true, "\(problems)")
    #expect(problems.first?.contains(part) == true, "\(problems)")
  }

  @Test(arguments: [
    "gatebook log --failed   # it's why",
    "GATEBOOK_ACCOUNT=work gatebook whoami --json | jq .state",
    "gatebook login http \\\n  --url https://a.example/ --password-stdin < a.password",
    "curl -H \"Authorization: Bearer $(gatebook token work)\" https://a.example/ > b 2>&1",
    "gatebook accounts && sudo install -m 755 a /usr/local/bin; tools/test --quick",
    "gatebook sessions --as-of 'yesterday 14:00'",
  ])
  func `a command that a reader can paste is not blamed`(_ command: String) throws {
    let problems = try CodeBlockTests.problems(ofCommandsIn: blocks("```sh\n\(command)\n```\n"))
    #expect(problems.isEmpty)
  }

  @Test func `of a terminal's text only what follows the prompt is a command`() throws {
    let text = "```console\n$ gatebook why\nIt is so.\n$ gatebook whatever\n```\n"
    let problems = try CodeBlockTests.problems(ofCommandsIn: blocks(text))
    #expect(problems.count == 1 && problems[0].hasPrefix("Some.md:4: "), "\(problems)")
  }

  @Test(arguments: [
    ("json", "{\"a\": 1,}", false), ("json", "{\"a\": [1, null]}", true),
    ("json", "{\"a\": 1}\n{\"a\": 2}", true), ("json", "a", false), ("", "{\"a\": …}", false),
    ("", "a text", true), ("text", "{\"a\": …}", true), ("", "gatebook log", false),
    ("ruby", "puts 1", false),
  ])
  func `a text is what its fence says`(_ language: String, _ text: String, _ isGood: Bool) {
    let problems = CodeBlockTests.problems(ofTextsIn: blocks("```\(language)\n\(text)\n```\n"))
    #expect(problems.isEmpty == isGood, "\(problems)")
  }
}
