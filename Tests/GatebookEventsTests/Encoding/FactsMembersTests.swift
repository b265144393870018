import GatebookEvents
import GatebookTestSupport
import Testing

/// Members of a server's choosing: their order costs nothing, and changes nothing.
@Suite struct FactsMembersTests {
  private static let orders: [(name: String, indices: @Sendable (Int) -> [Int])] = [
    ("ascending", { Array(0..<$0) }),
    ("descending", { (0..<$0).reversed() }),
    (
      "random",
      { count in
        var random = SplitMix(seed: 7)
        return (0..<count).shuffled(using: &random)
      }
    ),
    // From both ends, and from the middle.
    ("zigzag", { count in (0..<count).map { $0 % 2 == 0 ? $0 / 2 : count - 1 - $0 / 2 } }),
    ("halves", { count in (0..<count).map { ($0 + count / 2) % count } }),
  ]

  private static func name(_ index: Int) -> String {
    let digits = String(index)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  private static func members(_ indices: [Int]) -> [(name: String, value: FactValue)] {
    indices.map { (name($0), .integer(Int64($0))) }
  }

  private static func comparisons(_ count: Int, in order: (Int) -> [Int]) -> Int {
    var comparisons = 0
    let facts = Facts(members: members(order(count))) { left, right in
      comparisons += 1
      return left < right
    }
    #expect(facts?.names.count == count)
    return comparisons
  }

  @Test(arguments: orders.indices)
  func `twice the members cost little more than twice the comparisons`(_ order: Int) {
    let indices = Self.orders[order].indices
    for count in [500, 4000, 16_000] {
      let once = Self.comparisons(count, in: indices)
      let twice = Self.comparisons(2 * count, in: indices)
      #expect(Double(twice) < 2.5 * Double(once), "\(Self.orders[order].name), \(count)")
      // log2 of 32,000 is 15, and a sort may ask twice for each step.
      #expect(twice < 2 * count * 32, "\(Self.orders[order].name), \(count)")
    }
  }

  /// A search for the place of each would ask log n times for it, and then move all greater ones.
  @Test(arguments: [0, 1])
  func `members in ascending or descending order are one run: two comparisons for each`(
    _ order: Int
  ) {
    for count in [500, 4000, 16_000] {
      #expect(Self.comparisons(count, in: Self.orders[order].indices) <= 2 * count, "\(count)")
    }
  }

  @Test(arguments: orders.indices)
  func `facts are the same in whatever order their members come`(_ order: Int) {
    let facts = Facts(members: Self.members(Self.orders[order].indices(1000)))
    #expect(facts == Facts(members: Self.members(Array(0..<1000))))
    #expect(facts?.names == (0..<1000).map(Self.name))
    #expect(facts?["000999"] == 999)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `members become what they become one by one`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    var expected = Facts()
    var members: [(name: String, value: FactValue)] = []
    for number in 0..<200 as Range<Int64> {
      let name = Facts.text(&random)
      guard expected[name] == nil else {
        #expect(Facts(members: members + [(name, .null)]) == nil)
        continue
      }
      expected[name] = .integer(number)
      members.append((name, .integer(number)))
    }
    #expect(Facts(members: members.shuffled(using: &random)) == expected)
  }

  @Test(arguments: [0, 1, 499, 998])
  func `a name that occurs twice is refused everywhere`(_ index: Int) {
    var members = Self.members(Array((0..<1000).reversed()))
    members.append((members[index].name, .null))
    #expect(Facts(members: members) == nil)
  }

  @Test func `bytes tell names apart`() {
    let facts = Facts(members: [("e\u{301}", 2), ("\u{E9}", 1)])
    #expect(facts?["\u{E9}"] == 1)
    #expect(facts?["e\u{301}"] == 2)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `facts take over others as one by one`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    var facts = Facts()
    var others = Facts()
    for number in 0..<40 as Range<Int64> {
      let name = String(Facts.text(&random).prefix(1))
      if Bool.random(using: &random) { facts[name] = .integer(number) }
      if Bool.random(using: &random) { others[name] = .integer(-number) }
    }
    var expected = facts
    for name in others.names { expected[name] = others[name] }
    facts.merge(others)
    #expect(facts == expected)
  }

  @Test func `facts are left out by name`() {
    var facts: Facts = ["a": 1, "b": 2, "c": 3]
    facts.keep { $0 != "b" }
    #expect(facts == ["a": 1, "c": 3])
  }
}
