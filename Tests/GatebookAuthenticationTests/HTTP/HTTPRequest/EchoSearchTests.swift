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
    var search = EchoSearch(words)
    for text in texts { search.findWords(in: text) }
    for part in parts where !part.isEmpty { search.findWhole(part) }
    for (word, found) in zip(words, search.found()) {
      let note: Comment = "\(word.unicodeScalars.map(\.value))"
      #expect(found.isHeld == (word.isEmpty || texts.contains { $0.contains(word) }), note)
      #expect(found.holds == parts.contains { !$0.isEmpty && word.contains($0) }, note)
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
    func cost(_ length: Int) -> (steps: Int, states: Int, transitions: Int) {
      let text = String(String(repeating: unit, count: length).prefix(length))
      let words = (0..<16).map { String(text.dropLast($0)) + "!" }
      var search = EchoSearch(words)
      search.findWords(in: text + "?")
      search.findWhole(text + "?")
      #expect(search.found().allSatisfy { !$0.holds && !$0.isHeld })
      let automaton = SuffixAutomaton(words.joined(separator: " ").utf8.map { Int32($0) })
      return (search.steps, automaton.count, automaton.transitionCount)
    }
    for length in [500, 2000] {
      let (once, twice) = (cost(length), cost(2 * length))
      #expect(once.steps <= 3 * (length + 1))
      #expect(twice.steps <= 3 * (2 * length + 1))
      let symbols = 17 * 2 * length
      #expect(twice.states <= 2 * symbols)
      #expect(twice.transitions <= 3 * symbols)
    }
  }

  @Test func `a text of hundreds of kilobytes is compared with words of as many`() {
    let secret = String(repeating: "s3cret-", count: 30_000)
    let words = (0..<10_000).map { "attribute-\($0)" }
    var search = EchoSearch(words + [String(secret.prefix(100_000))])
    search.findWords(in: secret)
    search.findWhole(secret)
    #expect(search.found().map(\.isHeld) == [Bool](repeating: false, count: 10_000) + [true])
    #expect(search.steps <= 3 * secret.utf8.count)
  }
}
