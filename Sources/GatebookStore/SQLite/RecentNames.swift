internal import GatebookEvents

/// What the numbers of a dictionary table stand for: those used last, found without a hash.
struct RecentNames<Value> {
  // A number has one place; another one with the same place takes it over.
  private var entries: [(number: Int64, value: Value)?]

  /// Makes room for so many, a power of two.
  init(_ room: Int = 4096) {
    precondition(room > 0 && room & (room - 1) == 0, "The room is no power of two.")
    entries = Array(repeating: nil, count: room)
  }

  subscript(number: Int64) -> Value? {
    get {
      guard let entry = entries[place(of: number)], entry.number == number else { return nil }
      return entry.value
    }
    set { entries[place(of: number)] = newValue.map { (number, $0) } }
  }

  /// What a number stands for; what is not known yet is read.
  mutating func value(
    _ number: Int64, _ read: () throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    if let known = self[number] { return known }
    let value = try read()
    self[number] = value
    return value
  }

  private func place(of number: Int64) -> Int {
    Int(truncatingIfNeeded: number) & (entries.count - 1)
  }
}

extension RecentNames where Value: Identity {
  /// The identity in the row of this number; `nil` when there is none.
  mutating func identity(
    _ number: Int64, _ table: String, _ connection: Connection
  ) throws(GatebookError) -> Value? {
    if let id = self[number] { return id }
    self[number] = try connection.first("SELECT id FROM \(table) WHERE number = ?1", number) {
      Value(bytes: $0.raw(0))
    }
    return self[number]
  }
}
