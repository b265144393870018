internal import GatebookEvents
internal import Glibc

/// The kinds of the events of a history by their names, and how many of each there are on each day.
///
/// Finding a kind again costs no allocation: a verifier asks for every event.
struct KindTable {
  /// What an event of a kind says about the book itself, or about what the fleet keeps of it.
  enum Meaning {
    case other
    case created
    case continued
    case recovered
    /// It erases an account.
    case erased
  }

  /// A day, counted from 1970-01-01 UTC, and the number of a kind.
  struct Day: Hashable {
    let day: Int64
    let kind: Int
  }

  private struct Entry {
    let name: [UInt8]
    let described: [UInt8]
    let meaning: Meaning
    let event: EventKind?
    /// The day that `count` belongs to.
    var day: Int64 = .min
    var count: Int64 = 0
  }

  private var entries: [Entry] = []
  private var numbers: [[UInt8]: Int] = [:]
  private var slots = [Int32](repeating: -1, count: 256)
  private var counts: [Day: Int64] = [:]
  /// Whether there are so many kinds or days that they are not counted here.
  private(set) var isOver = false

  /// No program writes so many kinds; they would only fill the memory.
  private static let maximumKinds = 4096
  private static let maximumDays = 100_000

  /// The number of a kind.
  mutating func number(of name: UnsafeRawBufferPointer) -> Int {
    let slot = Self.slot(of: name)
    let known = Int(slots[slot])
    if known >= 0, Self.isEqual(entries[known].name, name) { return known }
    let number = find(Array(name))
    slots[slot] = Int32(truncatingIfNeeded: number)
    return number
  }

  /// The number of a kind that was met.
  func known(_ name: UnsafeRawBufferPointer) -> Int? { numbers[Array(name)] }

  /// What the leaf says about a kind.
  func described(_ number: Int) -> [UInt8] { entries[number].described }

  /// The kind as folds know it; `nil` for one that this version does not know.
  func event(_ number: Int) -> EventKind? { entries[number].event }

  /// What an event of a kind says about the book.
  func meaning(_ number: Int) -> Meaning { entries[number].meaning }

  /// The name of a kind.
  func name(_ number: Int) -> String { String(decoding: entries[number].name, as: UTF8.self) }

  /// Counts an event.
  mutating func count(_ number: Int, at microseconds: Int64) {
    guard !isOver else { return }
    let rest = microseconds % Self.day
    let day = microseconds / Self.day - (rest < 0 ? 1 : 0)
    if entries[number].day != day {
      keep(number)
      entries[number].day = day
    }
    entries[number].count += 1
  }

  /// Adds events that are not there any more.
  mutating func add(_ events: Int64, of name: [UInt8], on day: Int64) {
    guard !isOver else { return }
    let number = find(name)
    guard !isOver else { return }
    counts[Day(day: day, kind: number), default: 0] += events
    if counts.count > Self.maximumDays { giveUp() }
  }

  /// Takes all counts; nothing is counted from here on.
  mutating func takeCounts() -> [Day: Int64] {
    for number in entries.indices { keep(number) }
    defer { counts = [:] }
    return counts
  }

  private mutating func keep(_ number: Int) {
    guard entries[number].count > 0 else { return }
    counts[Day(day: entries[number].day, kind: number), default: 0] += entries[number].count
    entries[number].count = 0
    if counts.count > Self.maximumDays { giveUp() }
  }

  private mutating func giveUp() {
    isOver = true
    counts = [:]
  }

  private mutating func find(_ name: [UInt8]) -> Int {
    if let known = numbers[name] { return known }
    if entries.count == Self.maximumKinds {
      giveUp()
      entries = []
      numbers = [:]
      slots = [Int32](repeating: -1, count: 256)
    }
    let text = String(decoding: name, as: UTF8.self)
    let event = EventKind(rawValue: text)
    let meaning: Meaning =
      switch event {
      case .bookCreated: .created
      case .bookContinued: .continued
      case .bookRecovered: .recovered
      case .accountErased: .erased
      default: .other
      }
    entries.append(
      Entry(
        name: name, described: CanonicalEvent.describe(kind: text), meaning: meaning, event: event))
    numbers[name] = entries.count - 1
    return entries.count - 1
  }

  private static let day: Int64 = 86_400_000_000

  private static func slot(of name: UnsafeRawBufferPointer) -> Int {
    guard name.count >= 8 else { return name.count }
    let first = name.loadUnaligned(as: UInt64.self)
    let last = name.loadUnaligned(fromByteOffset: name.count - 8, as: UInt64.self)
    let mixed = (first ^ (last << 7 | last >> 57)) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 56)
  }

  private static func isEqual(_ known: [UInt8], _ name: UnsafeRawBufferPointer) -> Bool {
    guard known.count == name.count, let start = name.baseAddress else { return known.isEmpty }
    return known.withUnsafeBytes {
      $0.baseAddress.map { memcmp($0, start, name.count) == 0 } ?? true
    }
  }
}
