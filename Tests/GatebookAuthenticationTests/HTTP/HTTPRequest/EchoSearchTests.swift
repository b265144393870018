import GatebookTestSupport
import Testing

@testable import GatebookAuthentication

/// The search for echoes: the same verdicts as comparing each word with each text, without its
/// cost.
@Suite struct EchoSearchTests {
  private static let alphabets = [
    "ab", "abcdefgh", "aé\u{301}e;\u{37E}", "\r\na\u{200D}👩👧\u{1F3FD}", "kK\u{212A}ßſsS",
  ]

  private static func text(_ alphabet: String, upTo length: Int, _ random: inout SplitMix) -> String
  {
    let scalars = Array(alphabet.unicodeScalars)
    var text = ""
    for _ in 0..<Int.random(in: 0...length, using: &random) {
      if let scalar = scalars.randomElement(using: &random) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  @Test(arguments: alphabets, 0..<40 as Range<UInt64>)
  func `what is found is what comparing each with each finds`(_ alphabet: String, _ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let words = (0..<12).map { _ in Self.text(alphabet, upTo: 12, &random) }
    let texts = (0..<6).map { _ in Self.text(alphabet, upTo: 30, &random) }
    let parts = (0..<6).map { _ in Self.text(alphabet, upTo: 4, &random) }
    let search = EchoSearch(words)
    let areHeld = search.areFound(in: texts)
    let wholes = EchoSearch(parts.filter { !$0.isEmpty })
    for (word, isHeld) in zip(words, areHeld) {
      let note: Comment = "\(word.unicodeScalars.map(\.value))"
      #expect(isHeld == (word.isEmpty || texts.contains { $0.contains(word) }), note)
      let holds = parts.contains { !$0.isEmpty && word.contains($0) }
      #expect(wholes.isAnyWord(in: word) == holds, note)
    }
    for text in texts {
      #expect(search.isAnyWord(in: text) == words.contains { text.contains($0) })
      let few = Array(words.filter { $0.count > 3 })
      #expect(EchoSearch(few).isAnyWord(in: text) == few.contains { text.contains($0) })
    }
  }

  /// What costs the most where each word is compared with each text: all agree but in the last
  /// place.
  @Test(arguments: ["a", "ab", "aab", "abcdefghijklmnop"])
  func `words and texts twice as long take no more than twice the steps`(_ unit: String) {
    func cost(_ length: Int) -> (steps: Int, states: Int) {
      let text = String(String(repeating: unit, count: length).prefix(length))
      let words = (0..<16).map { String(text.dropLast($0)) + "!" }
      let search = EchoSearch(words)
      #expect(search.areFound(in: [text + "?"]).allSatisfy { !$0 })
      let whole = EchoSearch([text + "?"])
      #expect(!words.contains { whole.isAnyWord(in: $0) })
      return (search.follow(text + "?") { _ in }, search.count)
    }
    for length in [500, 2000] {
      let (once, twice) = (cost(length), cost(2 * length))
      #expect(once.steps <= 2 * (length + 1))
      #expect(twice.steps <= 2 * (2 * length + 1))
      #expect(twice.states <= 17 * 2 * length)
    }
  }

  @Test func `a text of hundreds of kilobytes is compared with words of as many`() {
    let secret = String(repeating: "s3cret-", count: 30_000)
    let words = (0..<10_000).map { "attribute-\($0)" }
    let search = EchoSearch(words + [String(secret.prefix(100_000))])
    #expect(search.areFound(in: [secret]) == [Bool](repeating: false, count: 10_000) + [true])
    #expect(search.follow(secret) { _ in } <= 2 * secret.utf8.count)
    #expect(!EchoSearch([secret]).isAnyWord(in: String(secret.prefix(100_000))))
  }
}
