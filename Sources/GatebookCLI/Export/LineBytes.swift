internal import Gatebook

extension [UInt8] {
  /// Adds ASCII that is part of the format.
  mutating func add(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds an integer in decimal digits.
  mutating func add(_ integer: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.endIndex
      var rest = integer.magnitude
      repeat {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      } while rest > 0
      if integer < 0 {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "-"))
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
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
