/// Writes a row without the names of its members, for rows of which there are many: a third of what
/// JSON takes.
///
/// Eight flags share a byte, which is written where the first of them is needed: whether a member
/// is there, and truth values. Numbers are zigzag LEB128, texts and lists begin with their length.
struct PackedRowWriter: FactsCoder {
  private var bytes: [UInt8] = []
  private var flags = 0
  private var flagCount = 0

  private init() {
    bytes.reserveCapacity(256)
  }

  static func encode(_ record: some FactsRecord) -> [UInt8] {
    var writer = PackedRowWriter()
    var record = record
    record.code(with: &writer)
    return writer.bytes
  }

  private mutating func put(flag: Bool) {
    if flagCount % 8 == 0 {
      flags = bytes.count
      bytes.append(0)
    }
    if flag { bytes[flags] |= 1 << UInt8(flagCount % 8) }
    flagCount += 1
  }

  private mutating func put(_ number: Int64) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func put(_ text: String) {
    put(Int64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func member(_ name: StaticString, isKept: Bool) -> Bool {
    put(flag: isKept)
    return isKept
  }

  mutating func value(_ value: inout Int64?) {
    if let value { put(value) }
  }

  mutating func value(_ value: inout Bool?) {
    put(flag: value == true)
  }

  mutating func value(_ value: inout String?) {
    if let value { put(value) }
  }

  mutating func value(_ value: inout FactValue?) {
    if let value { put(String(decoding: value.encoded, as: UTF8.self)) }
  }

  mutating func value(_ value: inout (some Identity)?) {
    value?.append(to: &bytes)
  }

  mutating func value(_ value: inout (some FactsRecord)?) {
    value?.code(with: &self)
  }

  mutating func values<Value>(
    _ values: inout [String: Value], each: (inout PackedRowWriter, inout Value?) -> Void
  ) {
    put(Int64(values.count))
    for name in values.keys.sorted() {
      put(name)
      each(&self, &values[name])
    }
  }

  func refuse() {}
}
