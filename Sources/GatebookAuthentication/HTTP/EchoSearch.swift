/// Finds which of some words contain a text, and which are part of one.
///
/// The cost grows with the lengths of words and texts added up, not multiplied: a server may choose
/// both. Texts are compared as `==` does it, character by character.
struct EchoSearch {
  private typealias Symbol = SuffixAutomaton.Symbol

  /// Separates two words, and occurs in no text.
  private static let separator: Symbol = -1
  /// A character that no word has.
  private static let stranger: Symbol = -2
  /// CR and LF are one character.
  private static let lineEnd: Symbol = 128

  private let words: [[Symbol]]
  private let automaton: SuffixAutomaton
  private let alphabet: [Character: Symbol]
  /// How long the shortest word is with which each state's parts end.
  private let shortest: [Int]
  /// How long the longest part of each state is that a text held.
  private var held: [Int]
  /// Whether each state has a text as a whole.
  private var isWhole: [Bool]

  /// How many symbols were taken and links followed, over all texts.
  private(set) var steps = 0

  /// Prepares the search.
  init(_ words: [String]) {
    var alphabet: [Character: Symbol] = ["\r\n": Self.lineEnd]
    for byte in UInt8(0)..<128 { alphabet[Character(Unicode.Scalar(byte))] = Symbol(byte) }
    for word in words where !Self.isASCII(word) {
      for character in word where alphabet[character] == nil {
        alphabet[character] = Symbol(alphabet.count)
      }
    }
    let sequences = words.map { Self.symbols(of: $0, in: alphabet) }
    let automaton = SuffixAutomaton(Array(sequences.joined(separator: [Self.separator])))
    var shortest = [Int](repeating: .max, count: automaton.count)
    for sequence in sequences {
      let state = Self.state(of: sequence, in: automaton)
      shortest[state] = min(shortest[state], sequence.count)
    }
    for state in automaton.shortestFirst.dropFirst() {
      // What a suffix ends with is the shorter one.
      let suffix = shortest[Int(automaton.links[Int(state)])]
      if suffix < .max { shortest[Int(state)] = suffix }
    }
    self.words = sequences
    self.automaton = automaton
    self.alphabet = alphabet
    self.shortest = shortest
    held = [Int](repeating: 0, count: automaton.count)
    isWhole = [Bool](repeating: false, count: automaton.count)
  }

  /// Whether a text contains one of the words.
  func isAnyWord(in text: String) -> Bool {
    if shortest[0] == 0 { return true }
    var walk = Walk()
    return Self.symbols(of: text, in: alphabet).contains { symbol in
      walk.take(symbol, automaton)
      return shortest[Int(walk.state)] <= walk.length
    }
  }

  /// Looks for a text as a whole in the words.
  mutating func findWhole(_ text: String) {
    var state: SuffixAutomaton.State = 0
    for symbol in Self.symbols(of: text, in: alphabet) {
      steps += 1
      guard let next = automaton.next(state, symbol) else { return }
      state = next
    }
    isWhole[Int(state)] = true
  }

  /// Looks for the words in a text.
  mutating func findWords(in text: String) {
    var walk = Walk()
    for symbol in Self.symbols(of: text, in: alphabet) {
      walk.take(symbol, automaton)
      held[Int(walk.state)] = max(held[Int(walk.state)], walk.length)
    }
    steps += walk.steps
  }

  /// For each word, in order: whether it contains a searched text, and whether a searched text
  /// contains it.
  func found() -> [(holds: Bool, isHeld: Bool)] {
    var (held, isWhole) = (held, isWhole)
    let order = automaton.shortestFirst.dropFirst()
    // A part was held with all its suffixes.
    for state in order.reversed() where held[Int(state)] > 0 {
      let link = Int(automaton.links[Int(state)])
      held[link] = Int(automaton.lengths[link])
    }
    // What ends with a part has what the part ends with.
    for state in order where isWhole[Int(automaton.links[Int(state)])] {
      isWhole[Int(state)] = true
    }
    var start = 0
    return words.map { word in
      let ends = automaton.ends[start..<start + word.count]
      start += word.count + 1
      return (
        ends.contains { isWhole[Int($0)] },
        held[Self.state(of: word, in: automaton)] >= word.count
      )
    }
  }

  /// The longest part of the words with which what was taken of a text ends.
  private struct Walk {
    var state: SuffixAutomaton.State = 0
    var length = 0
    var steps = 0

    mutating func take(_ symbol: Symbol, _ automaton: SuffixAutomaton) {
      steps += 1
      while true {
        if let next = automaton.next(state, symbol) {
          state = next
          length += 1
          return
        }
        guard state > 0 else { return }
        steps += 1
        state = automaton.links[Int(state)]
        length = Int(automaton.lengths[Int(state)])
      }
    }
  }

  private static func state(of word: [Symbol], in automaton: SuffixAutomaton) -> Int {
    Int(word.reduce(0) { automaton.next($0, $1) ?? 0 })
  }

  private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 128 } }

  private static func symbols(
    of text: String, in alphabet: [Character: Symbol]
  ) -> [Symbol] {
    guard isASCII(text) else { return text.map { alphabet[$0] ?? stranger } }
    var symbols: [Symbol] = []
    symbols.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if byte == 0x0A, symbols.last == 0x0D {
        symbols[symbols.count - 1] = lineEnd
      } else {
        symbols.append(Symbol(byte))
      }
    }
    return symbols
  }
}
