/// Named values, each name once: the content of a canonical JSON object.
public struct Facts: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  // A sorted array, not a dictionary: an event has a handful of facts, and this is the hot path of
  // every append. It needs no hashing and is written in the order in which it is kept.
  private struct Fact: Hashable, Sendable {
    let name: String
    var value: FactValue
  }

  private var facts: [Fact]

  /// Makes an empty set of facts.
  public init() {
    facts = []
  }

  /// Makes an empty set with room for some facts.
  init(reserving count: Int) {
    facts = []
    facts.reserveCapacity(count)
  }

  /// Makes facts from a literal; a `nil` value is left out, of a name written twice the last stays.
  public init(dictionaryLiteral elements: (String, FactValue?)...) {
    facts = []
    facts.reserveCapacity(elements.count)
    for (name, value) in elements {
      // Most literals are written in order: then nothing has to be searched.
      if let value, add(name, value) { continue }
      self[name] = value
    }
  }

  /// Makes facts from members in any order; `nil` if a name occurs twice.
  ///
  /// Cost: n log n comparisons in every order. Setting members one by one moves all greater ones
  /// each time, so that n names of a server's choosing would cost n².
  ///
  /// - Parameters:
  ///   - members: The members in the order in which they were read.
  ///   - precedes: How names are ordered.
  package init?(
    members: [(name: String, value: FactValue)],
    precedes: (String, String) -> Bool = Self.isOrdered
  ) {
    let ordered = members.sorted { precedes($0.name, $1.name) }
    for (former, next) in zip(ordered, ordered.dropFirst()) {
      guard precedes(former.name, next.name) else { return nil }
    }
    facts = ordered.map { Fact(name: $0.name, value: $0.value) }
  }

  /// The value of a name; setting `nil` removes it.
  ///
  /// Cost: log n comparisons; a new name and a removal also move all greater ones.
  public subscript(name: String) -> FactValue? {
    get {
      let (index, found) = place(of: name)
      return found ? facts[index].value : nil
    }
    set {
      let (index, found) = place(of: name)
      switch (newValue, found) {
      case (let value?, true): facts[index].value = value
      case (let value?, false): facts.insert(Fact(name: name, value: value), at: index)
      case (nil, true): facts.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// The names in ascending order of their UTF-8 bytes, the order in which they are written.
  public var names: [String] { facts.map(\.name) }

  /// Whether there is nothing.
  public var isEmpty: Bool { facts.isEmpty }

  /// How many levels there are, the innermost values counted: 1 for no facts, 2 for plain ones.
  package var depth: Int {
    var deepest = 0
    for fact in facts { deepest = max(deepest, fact.value.depth) }
    return 1 + deepest
  }

  /// How deep facts may be: more is neither written nor read.
  package static let maximumDepth = 16

  /// The canonical bytes: one object, keys in order, no blanks (see "Event format").
  public var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(160)
    encode(into: &bytes)
    return bytes
  }

  /// Adds a fact after all others, as a reader of canonical bytes meets them; refused if its name
  /// is not the greatest.
  package mutating func add(_ name: String, _ value: FactValue) -> Bool {
    if let last = facts.last, !Self.isOrdered(last.name, name) { return false }
    facts.append(Fact(name: name, value: value))
    return true
  }

  /// Takes over other facts; of a name in both, theirs stays.
  ///
  /// Cost: as many comparisons as there are facts in both.
  package mutating func merge(_ others: Facts) {
    var merged: [Fact] = []
    merged.reserveCapacity(facts.count + others.facts.count)
    var own = facts[...]
    for other in others.facts {
      while let first = own.first, Self.isOrdered(first.name, other.name) {
        merged.append(own.removeFirst())
      }
      if let first = own.first, !Self.isOrdered(other.name, first.name) { own.removeFirst() }
      merged.append(other)
    }
    facts = merged + own
  }

  /// Removes all facts whose name does not satisfy a condition.
  ///
  /// Cost: one move for each fact.
  package mutating func keep(where isKept: (String) -> Bool) {
    facts.removeAll { !isKept($0.name) }
  }

  /// Appends the canonical bytes to others.
  package func encode(into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for fact in facts {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      CanonicalText.append(fact.name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      fact.value.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func place(of name: String) -> (index: Int, found: Bool) {
    var low = 0
    var high = facts.count
    while low < high {
      let middle = (low + high) / 2
      // Bytes decide, as in the encoding: `==` of texts would take é and e´ for the same name.
      if Self.isOrdered(facts[middle].name, name) { low = middle + 1 } else { high = middle }
    }
    return (low, low < facts.count && facts[low].name.utf8.elementsEqual(name.utf8))
  }

  /// Whether a name comes before another one: bytes decide.
  package static func isOrdered(_ left: String, _ right: String) -> Bool {
    var (left, right) = (left, right)
    return left.withUTF8 { left in right.withUTF8 { left.lexicographicallyPrecedes($0) } }
  }

  /// Reads canonical JSON, at most 16 levels deep.
  ///
  /// `nil` for anything that is not exactly what the writer writes: blanks, keys out of order or
  /// twice, fractions, other escapes, bytes that are not UTF-8.
  public init?(decoding bytes: some Collection<UInt8>) {
    let facts = bytes.withContiguousStorageIfAvailable { Self.decode(UnsafeRawBufferPointer($0)) }
    guard let read = facts ?? Array(bytes).withUnsafeBytes(Self.decode) else { return nil }
    self = read
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer) -> Facts? {
    var decoder = CanonicalDecoder(bytes)
    guard case .object(let facts) = decoder.value(depth: 0), decoder.isAtEnd else { return nil }
    return facts
  }
}
