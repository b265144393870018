/// Finds words in texts, all of them in one walk.
///
/// The cost grows with the lengths of words and texts added up, not multiplied: a server may choose
/// both. Texts are compared as `==` does it, character by character.
///
/// Source: Aho, Corasick, "Efficient string matching: an aid to bibliographic search" (1975).
struct EchoSearch {
  /// The beginning of a word; 0 is the empty one.
  typealias State = Int

  private struct Edge: Hashable {
    let state: State
    let character: Character
  }

  /// What each character makes of a state.
  private var edges: [Edge: State] = [:]
  /// For each state the longest beginning of a word with which it ends; that one is older.
  private var suffixes: [State] = [0]
  /// For each word the state that is all of it.
  private var ends: [State]
  /// Whether each state ends with a word.
  private var isWord: [Bool] = []

  /// How many states there are.
  var count: Int { suffixes.count }

  /// Prepares the search.
  init(_ words: some Sequence<String>) {
    let words = words.map { Array($0) }
    ends = [State](repeating: 0, count: words.count)
    var growing = Array(words.indices)
    var length = 0
    // The shorter beginnings come first: the suffix of a state is there when the state is made.
    while !growing.isEmpty {
      growing.removeAll { words[$0].count == length }
      for index in growing { ends[index] = extend(ends[index], by: words[index][length]) }
      length += 1
    }
    isWord = [Bool](repeating: false, count: count)
    for end in ends { isWord[end] = true }
    for (state, suffix) in suffixes.enumerated() where isWord[suffix] { isWord[state] = true }
  }

  private mutating func extend(_ state: State, by character: Character) -> State {
    let edge = Edge(state: state, character: character)
    if let known = edges[edge] { return known }
    var steps = 0
    let suffix = state == 0 ? 0 : next(suffixes[state], character, &steps)
    suffixes.append(suffix)
    edges[edge] = count - 1
    return count - 1
  }

  private func next(_ state: State, _ character: Character, _ steps: inout Int) -> State {
    var state = state
    while true {
      steps += 1
      if let next = edges[Edge(state: state, character: character)] { return next }
      guard state > 0 else { return 0 }
      state = suffixes[state]
    }
  }

  /// Follows a text, and shows each state on the way.
  ///
  /// - Returns: How many steps that took: at most two for each character.
  @discardableResult
  func follow(_ text: String, _ show: (State) -> Void) -> Int {
    var steps = 0
    var state = 0
    for character in text {
      state = next(state, character, &steps)
      show(state)
    }
    return steps
  }

  /// Whether a text contains one of the words.
  func isAnyWord(in text: String) -> Bool {
    var isFound = isWord[0]
    follow(text) { isFound = isFound || isWord[$0] }
    return isFound
  }

  /// For each word, in order, whether one of the texts contains it.
  func areFound(in texts: some Sequence<String>) -> [Bool] {
    var isFound = [Bool](repeating: false, count: count)
    isFound[0] = true
    for text in texts { follow(text) { isFound[$0] = true } }
    // What is there ends with its suffix.
    for (state, suffix) in suffixes.enumerated().reversed() where isFound[state] {
      isFound[suffix] = true
    }
    return ends.map { isFound[$0] }
  }
}
