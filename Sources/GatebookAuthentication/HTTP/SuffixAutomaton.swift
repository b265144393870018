/// All parts of one sequence of symbols: it is walked symbol by symbol, and has a state for each
/// part.
///
/// Size and cost are linear in the sequence, whatever it repeats: at most two states and three
/// transitions for each symbol.
///
/// Source: Blumer, Blumer, Haussler, Ehrenfeucht, Chen, Seiferas, "The smallest automaton
/// recognizing the subwords of a text" (1985).
struct SuffixAutomaton {
  /// A character, as a number.
  typealias Symbol = Int32
  /// Parts that end at the same places; 0 is the empty part.
  typealias State = Int32

  /// A transition in the list of its state: copies of a state need all of them.
  private struct Edge {
    let symbol: Symbol
    /// The next one of the same state; -1 after the last.
    let next: Int32
  }

  /// The length of each state's longest part.
  private(set) var lengths: [Int32] = [0]
  /// For each state that of its longest suffix which ends at other places too; -1 for the empty
  /// part.
  private(set) var links: [State] = [-1]
  /// The state of the whole sequence up to each of its symbols.
  private(set) var ends: [State] = []

  private var transitions: [UInt64: State] = [:]
  private var edges: [Edge] = []
  private var lastEdges: [Int32] = [-1]

  /// How many states there are.
  var count: Int { lengths.count }

  /// How many transitions there are.
  var transitionCount: Int { transitions.count }

  /// Makes the automaton of a sequence.
  init(_ sequence: [Symbol]) {
    ends.reserveCapacity(sequence.count)
    for symbol in sequence { append(symbol) }
  }

  /// Where a symbol leads from a state; `nil` when no part continues with it.
  func next(_ state: State, _ symbol: Symbol) -> State? {
    transitions[Self.key(state, symbol)]
  }

  /// The states from the shortest parts to the longest: every link leads back.
  var shortestFirst: [State] {
    // No length is greater than the sequence's: counting orders them.
    var places = [Int](repeating: 0, count: ends.count + 2)
    for length in lengths { places[Int(length) + 1] += 1 }
    for index in 1..<places.count { places[index] += places[index - 1] }
    var ordered = [State](repeating: 0, count: count)
    for (state, length) in lengths.enumerated() {
      ordered[places[Int(length)]] = State(state)
      places[Int(length)] += 1
    }
    return ordered
  }

  private mutating func append(_ symbol: Symbol) {
    let last = ends.last ?? 0
    let new = add(length: lengths[Int(last)] + 1)
    ends.append(new)
    var state = last
    while state >= 0, next(state, symbol) == nil {
      lead(state, symbol, to: new)
      state = links[Int(state)]
    }
    guard state >= 0, let target = next(state, symbol) else { return }
    let length = lengths[Int(state)] + 1
    guard length < lengths[Int(target)] else {
      links[Int(new)] = target
      return
    }
    // The shorter parts of the target now end at one place more than its longer ones.
    let split = add(length: length)
    var edge = lastEdges[Int(target)]
    while edge >= 0 {
      let symbol = edges[Int(edge)].symbol
      if let next = next(target, symbol) { lead(split, symbol, to: next) }
      edge = edges[Int(edge)].next
    }
    links[Int(split)] = links[Int(target)]
    links[Int(target)] = split
    links[Int(new)] = split
    while state >= 0, next(state, symbol) == target {
      transitions[Self.key(state, symbol)] = split
      state = links[Int(state)]
    }
  }

  private mutating func add(length: Int32) -> State {
    lengths.append(length)
    links.append(0)
    lastEdges.append(-1)
    return State(lengths.count - 1)
  }

  private mutating func lead(_ state: State, _ symbol: Symbol, to target: State) {
    transitions[Self.key(state, symbol)] = target
    edges.append(Edge(symbol: symbol, next: lastEdges[Int(state)]))
    lastEdges[Int(state)] = Int32(edges.count - 1)
  }

  private static func key(_ state: State, _ symbol: Symbol) -> UInt64 {
    UInt64(UInt32(bitPattern: state)) << 32 | UInt64(UInt32(bitPattern: symbol))
  }
}
