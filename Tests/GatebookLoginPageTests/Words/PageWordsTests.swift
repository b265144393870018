import GatebookSystem
import Testing

@testable import GatebookLoginPage

@Suite struct PageWordsTests {
  private static let tables = [
    ("en", PageWords.english), ("de", PageWords.german), ("es", PageWords.spanish),
    ("cs", PageWords.czech),
  ]

  private static func gaps(_ text: String) -> Set<String> {
    Set(Pattern("[{][0-9][}]").matches(in: text).map { String($0.whole) })
  }

  @Test(arguments: tables)
  func `a language has every text, with the values of the English one`(
    _ language: String, _ table: [PageText: String]
  ) {
    for text in PageText.allCases {
      guard let words = table[text] else {
        Issue.record("\(language) has no \(text)")
        continue
      }
      #expect(!words.drop { $0 == " " }.isEmpty, "\(language) \(text)")
      #expect(words.first != " " && words.last != " ", "\(language) \(text)")
      #expect(Self.gaps(words) == Self.gaps(PageWords.english[text] ?? ""), "\(language) \(text)")
      #expect(!words.contains { "<>".contains($0) }, "\(language) \(text)")
    }
    #expect(table.count == PageText.allCases.count)
  }

  @Test func `a translation differs from English in most texts`() {
    for (language, table) in Self.tables.dropFirst() {
      let same = PageText.allCases.filter { table[$0] == PageWords.english[$0] }
      #expect(same.count < 8, "\(language): \(same)")
    }
  }

  @Test func `values replace the gaps of a text`() {
    let words = PageWords.all[0]
    #expect(words(.introRealm, "a", "b") == "a calls this area “b”.")
    // A value is no text of the page: what looks like a gap in it stays.
    #expect(words(.introRealm, "{1}", "{0}{") == "{1} calls this area “{0}{”.")
    #expect(words(.introRealm) == " calls this area “”.")
  }

  @Test(
    arguments: [
      (nil, "en"), ("", "en"), ("en", "en"), ("de", "de"), ("de-AT", "de"), ("DE-de", "de"),
      ("cs-CZ,cs;q=0.9", "cs"), ("fr", "en"), ("fr, es;q=0.5", "es"), ("*", "en"),
      ("fr;q=1, *;q=0.5", "en"), ("de;q=0.2, cs;q=0.8", "cs"), ("es;q=0.5,de;q=0.5", "es"),
      ("de;q=0", "en"), ("de;q=0.000, es;q=0.001", "es"), ("en;q=0.1,de ; q = 0.2", "de"),
      ("de;q=0.15,es;q=0.2", "es"), ("de;level=1;q=0.3,cs;q=0.4", "cs"), ("de;q=x, es", "es"),
      ("de;q=-1", "en"), ("de;q=7", "en"), (",,;;q=1,,", "en"), ("\u{0}\u{1F511}", "en"),
      ("dex", "en"), ("d", "en"), ("ar", "en"), ("ar-XB", "ar-XB"), ("ar-xb, de", "ar-XB"),
      ("es-419", "es"), ("de_AT", "en"),
      (String(repeating: "fr,", count: 2000) + "cs;q=0.1", "cs"),
    ] as [(String?, String)])
  func `the browser chooses the language`(_ field: String?, _ language: String) {
    #expect(PageWords.preferred(by: field).language == language)
  }

  @Test func `only the pseudo-language is written from right to left`() {
    #expect(PageWords.all.filter(\.isRightToLeft).map(\.language) == ["ar-XB"])
    let words = PageWords.preferred(by: "ar-XB")
    #expect(words(.logIn).unicodeScalars.first == "\u{202E}")
    #expect(words(.logIn).contains("Log in"))
  }
}
