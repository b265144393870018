/// Writes a row as the canonical JSON that `Facts.encoded` of the same members would be.
struct RowWriter: FactsCoder {
  private var bytes: [UInt8] = []
  private var isFirst = true
  // Names of members, for a list that is out of order would be read by nobody.
  private var last: StaticString?

  private init() {
    bytes.reserveCapacity(640)
  }

  static func encode(_ record: some FactsRecord) -> [UInt8] {
    var writer = RowWriter()
    writer.write(record)
    return writer.bytes
  }

  private mutating func write(_ record: some FactsRecord) {
    var record = record
    object { record.code(with: &$0) }
  }

  private mutating func object(_ body: (inout RowWriter) -> Void) {
    let (outer, before) = (isFirst, last)
    (isFirst, last) = (true, nil)
    bytes.append(UInt8(ascii: "{"))
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    (isFirst, last) = (outer, before)
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  mutating func member(_ name: StaticString, isKept: Bool) -> Bool {
    assert(last.map { "\($0)" < "\(name)" } ?? true, "\(name) is written after a later name.")
    last = name
    guard isKept else { return false }
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    return true
  }

  mutating func value(_ value: inout Int64?) {
    if let value { CanonicalText.append(value, to: &bytes) }
  }

  mutating func value(_ value: inout Bool?) {
    bytes.append(contentsOf: (value == true ? "true" : "false").utf8)
  }

  mutating func value(_ value: inout String?) {
    if let value { CanonicalText.append(value, to: &bytes) }
  }

  mutating func value(_ value: inout FactValue?) {
    value?.append(to: &bytes)
  }

  mutating func value(_ value: inout (some Identity)?) {
    guard let value else { return }
    bytes.append(UInt8(ascii: "\""))
    Hex.append(value.high, to: &bytes)
    Hex.append(value.low, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func value(_ value: inout (some FactsRecord)?) {
    if let value { write(value) }
  }

  mutating func values<Value>(
    _ values: inout [String: Value], each: (inout RowWriter, inout Value?) -> Void
  ) {
    // In the order of their bytes; the texts' own order knows of characters.
    let names = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let kept = values
    object { row in
      for name in names {
        row.separate()
        CanonicalText.append(name, to: &row.bytes)
        row.bytes.append(UInt8(ascii: ":"))
        var value = kept[name]
        each(&row, &value)
      }
    }
  }

  func refuse() {}
}
