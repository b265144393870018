internal import Testing

@testable internal import GatebookCLI

/// The claims of the threat model that name their tests.
struct ClaimTests {
  private static func claims() throws -> [(claim: String, tests: [String])] {
    let article = try TextFile.read(
      "\(Repository.root)/Sources/Gatebook/Gatebook.docc/ThreatModel.md", what: "article")
    let start = try #require(article.firstRange(of: "\n| claim | test |\n|---|---|\n"))
    return article[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("|") }
      .map { line in
        let cells = line.split(separator: "|")
        let names = cells.last.map(String.init) ?? ""
        return (
          cells.first.map(String.init) ?? "", names.matches(of: /`([^`]+)`/).map { String($0.1) }
        )
      }
  }

  @Test func `each claim about the proxy has a test of that name`() throws {
    let found = try Repository.run("grep -rhoE 'func `[^`]+`' Tests --include=*.swift")
    try #require(found.exit == 0)
    let names = Set(found.output.split(separator: "\n").map { $0.dropFirst(6).dropLast() })
    let claims = try Self.claims()
    #expect(claims.count >= 10)
    for (claim, tests) in claims {
      #expect(!tests.isEmpty, "\(claim)")
      for test in tests { #expect(names.contains(test[...]), "\(claim): \(test)") }
    }
  }
}
