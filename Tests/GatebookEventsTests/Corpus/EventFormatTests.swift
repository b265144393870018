import Foundation
import Testing

@testable import GatebookEvents

/// The table of kinds in the article Event format names each fact that the payloads have, and no
/// other.
struct EventFormatTests {
  private struct Row: Equatable {
    var facts: Set<String> = []
    var personal: Set<String> = []
  }

  private static let article: Substring = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Gatebook/Gatebook.docc/EventFormat.md")
    return Substring((try? String(contentsOf: file, encoding: .utf8)) ?? "")
  }()

  private static let personal: [EventKind: [String]] = [
    .accountAdded: FactNames.of(AccountAdded.Personal.self),
    .accountRenamed: FactNames.of(AccountRenamed.Personal.self),
    .attributesChanged: FactNames.of(AttributesChanged.Personal.self),
    .challengeFailed: FactNames.of(ChallengeFailed.Personal.self),
    .challengeReceived: FactNames.of(ChallengeReceived.Personal.self),
    .checkSucceeded: FactNames.of(CheckSucceeded.Personal.self),
    .cookiesChanged: FactNames.of(CookiesChanged.Personal.self),
    .loginStarted: FactNames.of(LoginStarted.Personal.self),
    .loginSucceeded: FactNames.of(LoginSucceeded.Personal.self),
    .proxyStarted: FactNames.of(ProxyStarted.Personal.self),
  ]

  @Test func `each kind is in the table once`() {
    let kinds = Self.table("## Event kinds").flatMap { Self.names($0[0]) }
    #expect(kinds.sorted() == EventKind.allCases.map(\.rawValue).sorted())
  }

  @Test(arguments: EventKind.allCases)
  func `the table names each fact of a kind`(_ kind: EventKind) throws {
    let row = try #require(Self.row(of: kind.rawValue))
    #expect(row.facts.sorted() == Self.facts(of: kind.facts))
    #expect(row.personal.sorted() == Self.personal[kind] ?? [])
  }

  private static func facts<Kind: EventFacts>(of kind: Kind.Type) -> [String] {
    FactNames.of(kind)
  }

  /// What the table says of a kind: names without a dot are facts, those in italics personal ones.
  private static func row(of kind: String) -> Row? {
    guard let cell = table("## Event kinds").first(where: { names($0[0]).contains(kind) })?.last
    else { return nil }
    var row = Row()
    // `as` begins with what another kind has, `the *life*` is a table of its own.
    if cell.hasPrefix("as `") { row.facts = names(cell).first.flatMap(Self.row)?.facts ?? [] }
    if cell.contains("the *life*") {
      row.facts = Set(table("### The life of a session").flatMap { names($0[0]) })
    }
    for (index, part) in cell.replacing("the *life*", with: "").split(
      separator: "*", omittingEmptySubsequences: false
    ).enumerated() {
      let facts = names(part).filter { !$0.contains(".") }
      if index % 2 == 0 { row.facts.formUnion(facts) } else { row.personal.formUnion(facts) }
    }
    return row
  }

  /// The cells of the first table after a heading, without its header row.
  private static func table(_ heading: String) -> [[String]] {
    guard let place = article.firstRange(of: "\n\(heading)") else { return [] }
    return article[place.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  private static func names(_ text: some StringProtocol) -> [String] {
    String(text).matches(of: /`([A-Za-z.]+)`/).map { String($0.1) }
  }
}
