/// The texts of the login page in one language.
struct PageWords: Sendable {
  /// The language's tag (BCP 47), such as `en`.
  let language: String
  /// Whether the language is written from right to left.
  let isRightToLeft: Bool
  private let texts: [PageText: String]

  private init(_ language: String, _ texts: [PageText: String], isRightToLeft: Bool = false) {
    self.language = language
    self.texts = texts
    self.isRightToLeft = isRightToLeft
  }

  /// All languages; English is the first.
  static let all = [
    PageWords("en", english), PageWords("de", german), PageWords("es", spanish),
    PageWords("cs", czech), pseudo,
  ]

  /// English, marked and written from right to left: it shows what a right-to-left language would
  /// need, to those who read English.
  ///
  /// Source: CLDR, the pseudo-locale `ar-XB`.
  private static let pseudo = PageWords(
    "ar-XB", english.mapValues { "\u{202E}\($0)\u{202C}" }, isRightToLeft: true)

  /// The words that a browser asks for.
  ///
  /// - Parameter field: The value of `Accept-Language` (RFC 9110 section 12.5.4); `nil` for none.
  /// - Returns: The first language that is here, by the browser's weights; English where none is.
  static func preferred(by field: String?) -> PageWords {
    let wanted = (field ?? "").split(separator: ",").map { Wish($0) }
    // Of equal weight the first one counts: a stable order.
    let ordered = wanted.enumerated().sorted {
      ($0.element.weight, -$0.offset) > ($1.element.weight, -$1.offset)
    }
    for (_, wish) in ordered where wish.weight > 0 {
      if let words = all.first(where: { wish.fits($0.language) }) { return words }
    }
    return all[0]
  }

  /// A text.
  ///
  /// - Parameters:
  ///   - text: Which.
  ///   - values: What replaces `{0}` and `{1}`.
  /// - Returns: The text.
  func callAsFunction(_ text: PageText, _ values: String...) -> String {
    var result = ""
    var rest = (texts[text] ?? Self.english[text] ?? "")[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...].dropFirst()
      guard let number = rest.first?.wholeNumberValue, rest.dropFirst().first == "}" else {
        result += "{"
        continue
      }
      if values.indices.contains(number) { result += values[number] }
      rest = rest.dropFirst(2)
    }
    return result + rest
  }

  /// One language of `Accept-Language`.
  private struct Wish {
    let tag: Substring
    /// In thousandths.
    let weight: Int

    init(_ text: Substring) {
      let parts = text.split(separator: ";").map { part in part.filter { $0 != " " } }
      tag = (parts.first ?? "")[...]
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      self.weight = weight.map { Self.thousandths(String($0)) } ?? 1000
    }

    /// A weight (RFC 9110 section 12.4.2): `0` or `1`, with at most three decimals.
    private static func thousandths(_ text: String) -> Int {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard let whole = parts.first.flatMap({ Int($0) }), (0...1).contains(whole) else { return 0 }
      let digits = parts.count > 1 ? (String(parts[1]) + "000").prefix(3) : "000"
      return min(1000, whole * 1000 + (Int(digits) ?? 0))
    }

    /// Whether a language is this one, or what it is a variety of (RFC 4647 section 3.4).
    func fits(_ language: String) -> Bool {
      let (tag, language) = (tag.lowercased(), language.lowercased())
      return tag == language || tag.hasPrefix("\(language)-")
    }
  }
}
