/// A row as a page of a b-tree holds it, of whatever table.
struct RawRow {
  enum Value {
    case null
    case integer(Int64)
    case text([UInt8])
    case bytes([UInt8])

    var integer: Int64? {
      if case .integer(let integer) = self { integer } else { nil }
    }

    var text: [UInt8]? {
      if case .text(let text) = self { text } else { nil }
    }

    var bytes: [UInt8]? {
      if case .bytes(let bytes) = self { bytes } else { nil }
    }

    var isNull: Bool {
      if case .null = self { true } else { false }
    }

    /// Whether it is so many bytes.
    func hasBytes(_ count: Int) -> Bool { bytes?.count == count }
  }

  /// Its number; `nil` for an entry of an index, or a row of a table without such numbers.
  let number: Int64?
  let values: [Value]
}

extension RawPages {
  /// The rows of a page; none for a page that holds no rows, or not what it says.
  func rows(of number: Int64) -> [RawRow] {
    guard let page = page(number) else { return [] }
    let start = number == 1 ? 100 : 0
    let (isTable, isInterior): (Bool, Bool)
    switch page[start] {
    case 0x0D: (isTable, isInterior) = (true, false)
    case 0x0A: (isTable, isInterior) = (false, false)
    case 0x02: (isTable, isInterior) = (false, true)
    default: return []
    }
    let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
    let cells = start + (isInterior ? 12 : 8)
    guard cells + 2 * count <= usable else { return [] }
    return (0..<count).compactMap { index in
      let cell = Int(page[cells + 2 * index]) << 8 | Int(page[cells + 2 * index + 1])
      return row(page, cell + (isInterior ? 4 : 0), isTable: isTable)
    }
  }

  private func row(_ page: [UInt8], _ start: Int, isTable: Bool) -> RawRow? {
    var place = start
    guard let length = Self.varint(page[..<usable], &place), length > 0, length < 1 << 30 else {
      return nil
    }
    var number: Int64?
    if isTable {
      guard let found = Self.varint(page[..<usable], &place) else { return nil }
      number = found
    }
    guard let payload = payload(page, place, Int(length), isTable: isTable),
      let values = Self.values(payload)
    else { return nil }
    return RawRow(number: number, values: values)
  }

  /// The bytes of a row, those on overflow pages included.
  private func payload(
    _ page: [UInt8], _ start: Int, _ length: Int, isTable: Bool
  ) -> ArraySlice<UInt8>? {
    let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard length > most else {
      return start + length <= usable ? page[start..<start + length] : nil
    }
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (length - least) % (usable - 4)
    let local = fitting <= most ? fitting : least
    guard start + local + 4 <= usable else { return nil }
    var payload = page[start..<start + local]
    var next = Self.number(page, start + local)
    var chain: [Int64] = []
    while payload.count < length {
      guard next != 0, let more = self.page(next) else { return nil }
      chain.append(next)
      payload.append(contentsOf: more[4..<min(usable, 4 + length - payload.count)])
      next = Self.number(more, 0)
    }
    overflow.formUnion(chain)
    return payload
  }

  /// The values of a record: their types first, then their contents.
  private static func values(_ payload: ArraySlice<UInt8>) -> [RawRow.Value]? {
    var place = payload.startIndex
    guard let length = varint(payload, &place), length >= 1, length <= payload.count else {
      return nil
    }
    let end = payload.startIndex + Int(length)
    var content = end
    var values: [RawRow.Value] = []
    while place < end {
      guard let type = varint(payload[..<end], &place),
        let value = value(type, payload, &content)
      else { return nil }
      values.append(value)
    }
    return content == payload.endIndex ? values : nil
  }

  private static func value(
    _ type: Int64, _ payload: ArraySlice<UInt8>, _ place: inout Int
  ) -> RawRow.Value? {
    let width: Int
    switch type {
    case 0: return .null
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 1...4: width = Int(type)
    case 5: width = 6
    case 6: width = 8
    case 12..<(1 << 31): width = Int(type - 12) / 2
    default: return nil
    }
    guard place + width <= payload.endIndex else { return nil }
    let bytes = payload[place..<place + width]
    place += width
    guard type < 12 else { return type % 2 == 0 ? .bytes(Array(bytes)) : .text(Array(bytes)) }
    // Shorter integers are in two's complement too.
    let negative = (bytes.first ?? 0) & 0x80 != 0
    return .integer(bytes.reduce(negative ? -1 : 0) { $0 << 8 | Int64($1) })
  }

  /// 1 to 9 bytes, the highest bit of all but the ninth says that more follow.
  private static func varint(_ bytes: ArraySlice<UInt8>, _ place: inout Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard place < bytes.endIndex else { return nil }
      let byte = bytes[place]
      place += 1
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return Int64(bitPattern: value) }
    }
    return nil
  }
}
