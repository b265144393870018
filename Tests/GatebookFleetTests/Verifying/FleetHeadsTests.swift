import Gatebook
import Testing

@testable import GatebookFleet

/// The text of heads that are kept outside of a fleet.
@Suite struct FleetHeadsTests {
  private static let first = FleetHeads.Head(
    book: BookID(high: 1, low: 2), branch: 0, machine: "laptop \"17\"\n",
    key: String(repeating: "ab", count: 32), size: 109, root: String(repeating: "cd", count: 32))
  private static let second = FleetHeads.Head(
    book: BookID(high: 1, low: 2), branch: 1, machine: nil, key: nil, size: 0, root: nil)

  @Test func `heads are a line each, after their number`() throws {
    let heads = FleetHeads([Self.second, Self.first])
    #expect(
      heads.text == """
        {"format":"gatebook fleet heads 1","histories":2}
        {"book":"00000000000000010000000000000002","branch":0,"key":"\(Self.first.key ?? "")",\
        "machine":"laptop \\"17\\"\\n","root":"\(Self.first.root ?? "")","size":109}
        {"book":"00000000000000010000000000000002","branch":1,"size":0}

        """)
    #expect(try FleetHeads(text: heads.text) == heads)
    #expect(heads.heads == [Self.first, Self.second])
    #expect(try FleetHeads(text: FleetHeads([]).text).heads.isEmpty)
  }

  /// Changes of a right text, as what is replaced and by what.
  static let changes: [(String, String)] = [
    ("gatebook fleet heads 1", "gatebook fleet heads 2"), ("{\"format\"", " {\"format\""),
    ("\"histories\":2", "\"histories\":3"), ("\"histories\":2", "\"histories\":1"),
    ("\"branch\":1,", "\"branch\":0,"), ("\"branch\":1,", "\"branch\":-1,"),
    ("\"branch\":1,", "\"branch\":4294967296,"), ("\"branch\":1,", ""),
    ("\"size\":109", "\"size\":-1"), ("\"size\":109", "\"size\":9007199254740993"),
    ("\"size\":109", "\"size\":\"109\""), ("\"root\":\"cd", "\"root\":\"c"),
    ("\"root\":\"cd", "\"root\":\"xx"), ("\"root\":\"cd", "\"root\":\"cdcd"),
    ("\"key\":\"ab", "\"key\":[\""), ("00000000000000010000000000000002", "2"),
    ("\"machine\":\"laptop", "\"machine\":{\"a\":\""), ("}\n{\"book\"", "}\n\n{\"book\""),
    ("\"size\":0}\n", "\"size\":0}"), ("\"size\":0}\n", ""),
  ]

  @Test(arguments: changes) func `another text is refused`(change: (String, String)) throws {
    let text = FleetHeads([Self.first, Self.second]).text
    let changed = text.replacing(change.0, with: change.1, maxReplacements: 1)
    try #require(changed != text)
    #expect(throws: GatebookError.self) { try FleetHeads(text: changed) }
  }

  @Test(arguments: [
    "", "\n", "{}", "gatebook/1\n109\nAAAA\n", "{\"format\":\"gatebook fleet heads 1\"}\n",
  ])
  func `what is no such text is refused`(text: String) {
    #expect {
      try FleetHeads(text: text)
    } throws: {
      ($0 as? GatebookError)?.code == .configurationInvalid
    }
  }
}
