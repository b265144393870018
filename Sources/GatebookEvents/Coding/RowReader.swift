/// Reads what `RowWriter` wrote; members that nobody asks for are stepped over.
struct RowReader: FactsCoder {
  private let scanner: FactScanner
  // At the next member's name, or at the end of its object.
  private var index = 0
  // The name that was found there last: most members are missing, and each asks for it.
  private var known: Range<Int>?
  private var isRefused = false
  let hasDetails: Bool

  private init(_ bytes: UnsafeRawBufferPointer, hasDetails: Bool = true) {
    scanner = FactScanner(bytes)
    self.hasDetails = hasDetails
  }

  /// Reads a row.
  ///
  /// - Returns: `nil` for bytes that are not canonical, or lack a member, or have one of another
  ///   kind.
  static func decode<Record: FactsRecord>(_ bytes: UnsafeRawBufferPointer) -> Record? {
    guard CanonicalForm.holds(bytes) else { return nil }
    var reader = RowReader(bytes)
    var record: Record?
    reader.value(&record)
    return reader.isRefused ? nil : record
  }

  /// Reads what the folds need of an event's facts; what is not there, or not as it should be, is
  /// as in `blank`.
  static func fold<Record: FactsRecord>(_ bytes: UnsafeRawBufferPointer) -> Record {
    var reader = RowReader(bytes, hasDetails: false)
    var record: Record?
    reader.value(&record)
    return record ?? .blank
  }

  mutating func refuse() {
    isRefused = true
  }

  mutating func member(_ name: StaticString, isKept: Bool) -> Bool {
    while let next = nextName() {
      switch scanner.order(next, name) {
      case .same:
        index = next.upperBound + 2
        return true
      case .after: return false
      case .before: skip(to: scanner.endOfValue(next.upperBound + 2))
      }
    }
    return false
  }

  /// The place of the name at the index.
  @inline(__always)
  private mutating func nextName() -> Range<Int>? {
    if let known, known.lowerBound == index + 1 { return known }
    known = scanner.name(at: index)
    return known
  }

  /// Goes past a value, and past the comma if there is one.
  private mutating func skip(to end: Int) {
    index = scanner.isComma(at: end) ? end + 1 : end
  }

  private mutating func take<Value>(_ read: (FactScanner, Int) -> Value?) -> Value? {
    let value = read(scanner, index)
    if value == nil { refuse() }
    skip(to: scanner.endOfValue(index))
    return value
  }

  mutating func value(_ value: inout Int64?) {
    var end = index
    value = scanner.integer(from: &end)
    if value == nil { refuse() }
    // After its digits a canonical integer ends: nothing has to be read twice.
    skip(to: value != nil && scanner.isEndOfValue(end) ? end : scanner.endOfValue(index))
  }

  mutating func value(_ value: inout Bool?) {
    value = take { $0.bool(at: $1) }
  }

  mutating func value(_ value: inout String?) {
    value = take { $0.text(at: $1) }
  }

  mutating func value<ID: Identity>(_ value: inout ID?) {
    value = take { $0.text(at: $1).flatMap { ID($0) } }
  }

  mutating func value(_ value: inout FactValue?) {
    value = take { $0.value(at: $1) }
  }

  mutating func value<Record: FactsRecord>(_ value: inout Record?) {
    var record = Record.blank
    object { record.code(with: &$0) }
    value = record
  }

  mutating func values<Value>(
    _ values: inout [String: Value], each: (inout RowReader, inout Value?) -> Void
  ) {
    values = [:]
    object { row in
      while let place = row.scanner.name(at: row.index), !row.isRefused {
        guard let name = row.scanner.text(at: place.lowerBound - 1) else { return row.refuse() }
        row.index = place.upperBound + 2
        each(&row, &values[name])
      }
    }
  }

  private mutating func object(_ body: (inout RowReader) -> Void) {
    guard scanner.isObject(at: index) else {
      refuse()
      return skip(to: scanner.endOfValue(index))
    }
    index += 1
    body(&self)
    // What follows is newer than this code.
    while let next = nextName() {
      skip(to: scanner.endOfValue(next.upperBound + 2))
    }
    skip(to: index + 1)
  }
}
