/// Reads what `PackedRowWriter` wrote.
struct PackedRowReader: FactsCoder {
  private let bytes: UnsafeRawBufferPointer
  private var index = 0
  private var flags: UInt8 = 0
  private var flagCount = 0
  private var isRefused = false

  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Reads a row.
  ///
  /// - Returns: `nil` for bytes that make no row, or more than one.
  static func decode<Record: FactsRecord>(_ bytes: UnsafeRawBufferPointer) -> Record? {
    var reader = PackedRowReader(bytes)
    var record = Record.blank
    record.code(with: &reader)
    return reader.isRefused || reader.index != bytes.count ? nil : record
  }

  mutating func refuse() {
    isRefused = true
  }

  private mutating func takeByte() -> UInt8 {
    guard index < bytes.count else {
      refuse()
      return 0
    }
    index += 1
    return bytes[index - 1]
  }

  private mutating func takeFlag() -> Bool {
    if flagCount % 8 == 0 { flags = takeByte() }
    defer { flagCount += 1 }
    return flags & 1 << UInt8(flagCount % 8) != 0
  }

  private mutating func takeNumber() -> Int64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = takeByte()
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { break }
      if shift == 63 { refuse() }
    }
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  private mutating func take(_ count: Int64) -> UnsafeRawBufferPointer {
    guard (0...Int64(bytes.count - index)).contains(count) else {
      refuse()
      return UnsafeRawBufferPointer(rebasing: bytes[index..<index])
    }
    defer { index += Int(count) }
    return UnsafeRawBufferPointer(rebasing: bytes[index..<index + Int(count)])
  }

  private mutating func takeText() -> String? {
    let length = takeNumber()
    guard let text = String(validating: take(length), as: UTF8.self) else {
      refuse()
      return nil
    }
    return text
  }

  mutating func member(_ name: StaticString, isKept: Bool) -> Bool { takeFlag() }

  mutating func value(_ value: inout Int64?) {
    value = takeNumber()
  }

  mutating func value(_ value: inout Bool?) {
    value = takeFlag()
  }

  mutating func value(_ value: inout String?) {
    value = takeText()
  }

  mutating func value(_ value: inout FactValue?) {
    let length = takeNumber()
    var decoder = CanonicalDecoder(take(length))
    value = decoder.value(depth: 1)
    if value == nil { refuse() }
  }

  mutating func value<ID: Identity>(_ value: inout ID?) {
    value = ID(bytes: take(16))
  }

  mutating func value<Record: FactsRecord>(_ value: inout Record?) {
    var record = Record.blank
    record.code(with: &self)
    value = record
  }

  mutating func values<Value>(
    _ values: inout [String: Value], each: (inout PackedRowReader, inout Value?) -> Void
  ) {
    values = [:]
    var left = takeNumber()
    if left < 0 { refuse() }
    // A name takes a byte at least: no count is believed for longer than there are bytes.
    while left > 0, !isRefused {
      left -= 1
      if let name = takeText() { each(&self, &values[name]) }
    }
  }
}
