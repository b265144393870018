@testable internal import GatebookCLI

/// A block of code of a document, between its fences.
struct CodeBlock {
  /// The document's path from the repository's root.
  let document: String
  /// The line of the fence above it, counted from 1.
  let line: Int
  /// The word after that fence, or nothing.
  let language: String
  let lines: [Substring]

  var text: String { lines.joined(separator: "\n") + "\n" }
  /// The first line that is not empty.
  var opening: Substring { lines.first { !$0.isEmpty } ?? "" }

  /// The blocks of a document of the repository, in their order.
  static func blocks(of document: String) throws -> [CodeBlock] {
    let text = try TextFile.read("\(Repository.root)/\(document)", what: "document")
    return blocks(in: text, of: document)
  }

  /// The blocks of a text.
  ///
  /// A block in a list loses the blanks that its fence has before it.
  static func blocks(in text: String, of document: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (fence: Substring, indent: Int, line: Int, language: String)?
    var lines: [Substring] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let content = line.drop { $0 == " " }
      if let block = open {
        guard content.hasPrefix(block.fence), content.allSatisfy({ "`~ ".contains($0) }) else {
          let blanks = line.prefix(block.indent).prefix { $0 == " " }
          lines.append(line.dropFirst(blanks.count))
          continue
        }
        blocks.append(
          CodeBlock(document: document, line: block.line, language: block.language, lines: lines))
        open = nil
      } else if content.hasPrefix("```") || content.hasPrefix("~~~") {
        let fence = content.prefix { $0 == content.first }
        let words = content.dropFirst(fence.count).split(separator: " ")
        open = (fence, line.count - content.count, index + 1, words.first.map(String.init) ?? "")
        lines = []
      }
    }
    return blocks
  }
}
