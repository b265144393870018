import GatebookFakes
import Glibc
import Testing

/// The catalogue of situations in the documentation: what `why` tells of each, as people read it.
///
/// With `GATEBOOK_UPDATE_SNAPSHOTS=1` the article is written again, to be read by a person.
@Suite(.serialized) struct WhySituationTests {
  private static let article: String = {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return "/\(root)/Sources/Gatebook/Gatebook.docc/Situations.md"
  }()

  @Test(arguments: Situation.all) func `is reported`(_ situation: Situation) async throws {
    // The keys of the servers are new each time.
    let told = try await situation.told().description
      .replacing(/sha256\/[A-Za-z0-9+\/]{43}=/, with: "sha256/KEY")
    if getenv("GATEBOOK_UPDATE_SNAPSHOTS") != nil { try Self.write(told, under: situation.name) }
    #expect(Self.sections()[situation.name] == told)
  }

  @Test func `the article has them all, and no others`() {
    let names = Situation.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.count >= 30)
    #expect(Set(Self.sections().keys) == Set(names))
  }

  /// The text under each heading.
  private static func sections() -> [String: String] {
    let text = String(decoding: TestFile.read(article).bytes, as: UTF8.self)
    var sections: [String: String] = [:]
    for part in text.split(separator: "\n## ").dropFirst() {
      let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
      let told = lines.dropFirst().drop { $0 != "```" }.dropFirst().prefix { $0 != "```" }
      sections[String(lines[0])] = told.joined(separator: "\n")
    }
    return sections
  }

  private static func write(_ told: String, under name: String) throws {
    let text = String(decoding: TestFile.read(article).bytes, as: UTF8.self)
    var introduction = text.split(separator: "\n## ").first ?? ""
    while introduction.last == "\n" { introduction.removeLast() }
    var sections = sections()
    sections[name] = told
    let body = Situation.all.map(\.name).compactMap { name in
      sections[name].map { "\n## \(name)\n\n```\n\($0)\n```\n" }
    }
    unlink(article)
    try TestFile(bytes: Array((introduction + "\n" + body.joined()).utf8)).write(to: article)
  }
}
