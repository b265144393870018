internal import GatebookAuthentication
internal import Testing

@testable internal import GatebookCLI

/// What README.md and the articles show as code can be used unchanged.
///
/// Each block says by the word behind its fence how it is checked. A block without a word is text.
@Suite(.serialized)
struct CodeBlockTests {
  private static let shells = ["sh", "bash", "console"]
  private static let codeOpenings = ["gatebook ", "swift ", "import ", "$ ", "tools/"]

  @Test(arguments: try Repository.documents())
  func `the Swift of a document compiles`(_ document: String) throws {
    try expectCompiled(CodeBlock.blocks(of: document))
  }

  @Test(arguments: try Repository.documents())
  func `the commands of a document can be pasted`(_ document: String) throws {
    for problem in try Self.problems(ofCommandsIn: CodeBlock.blocks(of: document)) {
      Issue.record("\(problem)")
    }
  }

  @Test(arguments: try Repository.documents())
  func `each block says what it is, and JSON is JSON`(_ document: String) throws {
    for problem in Self.problems(ofTextsIn: try CodeBlock.blocks(of: document)) {
      Issue.record("\(problem)")
    }
  }

  private func expectCompiled(_ blocks: [CodeBlock]) throws {
    for program in SwiftProgram.programs(of: blocks) {
      let problems = try program.problems()
      if !problems.isEmpty { Issue.record("\(problems)") }
      guard program.isManifest else { continue }
      let products = try Repository.products()
      for product in program.source.matches(of: /name: "(\w+)", package: "gatebook"/) {
        #expect(products.contains(String(product.output.1)), "\(product.output.0)")
      }
    }
  }

  static func problems(ofCommandsIn blocks: [CodeBlock]) throws -> [String] {
    var problems: [String] = []
    for block in blocks where shells.contains(block.language) {
      var text = block.text
      if block.language == "console" {
        // The output of the commands is between them.
        let lines = block.lines.map { $0.hasPrefix("$ ") ? $0.dropFirst(2) : "" }
        text = lines.joined(separator: "\n")
      }
      for command in ShellLine.commands(in: text) {
        guard let problem = try command.problem() else { continue }
        let words = command.words.joined(separator: " ")
        problems.append("\(block.document):\(block.line + command.line): `\(words)`: \(problem)")
      }
    }
    return problems
  }

  static func problems(ofTextsIn blocks: [CodeBlock]) -> [String] {
    blocks.compactMap { block in
      problem(ofTextIn: block).map { "\(block.document):\(block.line): \($0)" }
    }
  }

  private static func problem(ofTextIn block: CodeBlock) -> String? {
    switch block.language {
    case "swift", "text": nil
    // GatebookServerTests runs each recipe.
    case "python", "javascript", "go":
      block.document.hasSuffix("/Helpers.md") ? nil : "nothing checks \(block.language)"
    // GatebookLoginPageTests makes a theme of them.
    case "html", "css", "svg":
      block.document.hasSuffix("/LoginPage.md") ? nil : "nothing checks \(block.language)"
    case _ where shells.contains(block.language): nil
    case "json": isJSON(block) ? nil : "this is not JSON"
    case _ where !block.language.isEmpty: "nothing checks \(block.language)"
    case _ where block.opening.hasPrefix("{") || block.opening.hasPrefix("["):
      isJSON(block) ? nil : "this is not JSON; if it is not meant to be, its fence must say text"
    case _ where codeOpenings.contains(where: block.opening.hasPrefix):
      "its fence must say whether it is swift, sh or text"
    default: nil
    }
  }

  /// Whether a block is one JSON text, or one on each line.
  private static func isJSON(_ block: CodeBlock) -> Bool {
    if JSONDocument.read(Array(block.text.utf8)) != nil { return true }
    return block.lines.allSatisfy { $0.isEmpty || JSONDocument.read(Array($0.utf8)) != nil }
  }
}
