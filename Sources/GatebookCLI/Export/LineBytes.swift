internal import Gatebook

extension [UInt8] {
  /// Adds ASCII that is part of the format.
  mutating func add(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds an integer in decimal digits.
  mutating func add(_ integer: Int64) {
    CanonicalText.append(integer, to: &self)
  }

  /// Adds an identity as 32 hexadecimal digits.
  mutating func add(_ identity: some Identity) {
    append(addingCapacity: 32) { digits in
      for half in [identity.high, identity.low] {
        for shift in stride(from: 60, through: 0, by: -4) {
          let digit = UInt8(truncatingIfNeeded: half >> UInt64(shift) & 15)
          digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
      }
    }
  }

  /// Adds an identity as a JSON text; an empty one where it cannot be read.
  mutating func add(text identity: (some Identity)?) {
    add("\"")
    if let identity { add(identity) }
    add("\"")
  }

  /// Adds an event's facts as a JSON object.
  ///
  /// - Throws: `storage.damaged` for bytes that no writer writes.
  mutating func add(facts row: EventRow) throws(GatebookError) {
    // Nearly always: nothing has to be read to be written again.
    if CanonicalForm.isPlain(row.data) { return append(contentsOf: row.data) }
    guard let facts = Facts(decoding: row.data) else {
      throw GatebookError(
        .storageDamaged, "The event at position \(row.position) cannot be read.",
        remedy: "See `gatebook verify`.")
    }
    append(contentsOf: JSON(facts).encoded)
  }

  /// Adds what both formats of JSON say of an event's place in its stream.
  mutating func add(place row: EventRow, _ names: inout RenderedNames) throws(GatebookError) {
    add("\"revision\":")
    add(row.revision)
    if let session = row.session {
      add(",\"session\":")
      add(text: try names.session(session))
    }
  }

  /// Adds what both formats of JSON end an event with: its cause, who wrote it, and its facts.
  mutating func add(rest row: EventRow, _ names: inout RenderedNames) throws(GatebookError) {
    if let cause = row.cause {
      add(",\"cause\":")
      add(cause)
    }
    add(",\"writer\":")
    self += try names.writerBytes(row.writer)
    add(row.process)
    add("},\"data\":")
    try add(facts: row)
    if let personal = row.personal {
      add(",\"personal\":")
      add(personal: personal)
    }
    add("}")
  }

  /// Adds personal facts as a JSON object, or the word for why they cannot be seen.
  mutating func add(personal: Personal<Facts>) {
    switch personal {
    case .known(let facts): append(contentsOf: JSON(facts).encoded)
    case .sealed: add("\"sealed\"")
    case .forgotten: add("\"forgotten\"")
    case .lost: add("\"lost\"")
    }
  }
}

/// Writes moments as RFC 3339 does, in UTC with microseconds; those of one second share their text.
struct MomentWriter {
  private var second = Int64.min
  /// The moment before: `2025-11-21T06:29:14.000001Z`.
  private var text: [UInt8] = []

  /// Adds `2025-11-21T06:29:14.000001Z`.
  mutating func append(_ moment: Timestamp, to bytes: inout [UInt8]) {
    let seconds = moment.seconds
    if seconds != second || text.isEmpty {
      second = seconds
      text = Array(TimeText.machine(moment).utf8)
    }
    var rest = moment.microseconds
    // The last digit is before the `Z`.
    for place in (text.count - 7..<text.count - 1).reversed() {
      text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    bytes += text
  }
}

/// What the numbers of a dictionary table stand for: those used last, found without a hash.
struct RecentValues<Value> {
  // A number has one place; another one with the same place takes it over. So memory stays flat
  // however many there are.
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
