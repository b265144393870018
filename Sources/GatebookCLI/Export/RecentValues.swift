/// What the numbers of a dictionary table stand for: those used last, found without a hash.
struct RecentValues<Value> {
  // A number has one place; another one with the same place takes it over. So memory stays flat however
  // many there are.
  private var entries: [(number: Int64, value: Value)?]

  /// Makes room.
  ///
  /// - Parameter room: For how many; a power of two.
  init(_ room: Int) {
    entries = Array(repeating: nil, count: room)
  }

  subscript(number: Int64) -> Value? {
    get {
      guard let entry = entries[place(of: number)], entry.number == number else { return nil }
      return entry.value
    }
    set { entries[place(of: number)] = newValue.map { (number, $0) } }
  }

  private func place(of number: Int64) -> Int {
    Int(truncatingIfNeeded: number) & (entries.count - 1)
  }
}

extension RecentValues<[UInt8]> {
  /// Keeps bytes for the next time, and hands them on.
  ///
  /// A strange book may hold names of any length: long ones are made each time.
  mutating func keep(_ bytes: [UInt8], for number: Int64) -> [UInt8] {
    if bytes.count <= 1024 { self[number] = bytes }
    return bytes
  }
}
