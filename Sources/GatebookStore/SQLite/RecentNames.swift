/// What the numbers of a dictionary table stand for: those used last, found without a hash.
struct RecentNames<Value> {
  // A number has one place; another one with the same place takes it over.
  private var entries: [(number: Int64, value: Value)?] = Array(repeating: nil, count: 4096)

  subscript(number: Int64) -> Value? {
    get {
      guard let entry = entries[place(of: number)], entry.number == number else { return nil }
      return entry.value
    }
    set { entries[place(of: number)] = newValue.map { (number, $0) } }
  }

  private func place(of number: Int64) -> Int {
    Int(truncatingIfNeeded: UInt64(bitPattern: number) % UInt64(entries.count))
  }
}
