extension Facts {
  /// Reads canonical JSON, at most 16 levels deep.
  ///
  /// `nil` for anything that is not exactly what the writer writes: blanks, keys out of order or
  /// twice, fractions, other escapes, bytes that are not UTF-8.
  public init?(decoding bytes: some Collection<UInt8>) {
    var decoder = CanonicalDecoder(Array(bytes))
    guard case .object(let facts) = decoder.value(depth: 0), decoder.isAtEnd else { return nil }
    self = facts
  }
}

/// Reads what `Facts.encoded` writes and nothing else.
private struct CanonicalDecoder {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { index == bytes.count }

  mutating func value(depth: Int) -> FactValue? {
    guard depth < Facts.maximumDepth, index < bytes.count else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return list(depth: depth)
    case UInt8(ascii: "\""): return text().map(FactValue.text)
    case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return integer().map(FactValue.integer)
    }
  }

  private mutating func object(depth: Int) -> FactValue? {
    index += 1
    var facts = Facts()
    if take("}") { return .object(facts) }
    repeat {
      guard let name = text(), take(":"), let value = value(depth: depth + 1),
        facts.add(name, value)
      else { return nil }
    } while take(",")
    return take("}") ? .object(facts) : nil
  }

  private mutating func list(depth: Int) -> FactValue? {
    index += 1
    var values: [FactValue] = []
    if take("]") { return .list(values) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while take(",")
    return take("]") ? .list(values) : nil
  }

  private mutating func integer() -> Int64? {
    let start = index
    while index < bytes.count, bytes[index] == UInt8(ascii: "-") || isDigit(bytes[index]) {
      index += 1
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    // "-0", "+1" and "007" are other texts for a value that has its own: refused.
    guard let value = Int64(text), String(value) == text else { return nil }
    return value
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func text() -> String? {
    guard take("\"") else { return nil }
    var content: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = escape() else { return nil }
        content.append(escaped)
      case 0x20...: content.append(byte)
      default: return nil
      }
    }
    return nil
  }

  private mutating func escape() -> UInt8? {
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): return byte
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "u"):
      guard index + 4 <= bytes.count else { return nil }
      let digits = String(decoding: bytes[index..<index + 4], as: UTF8.self)
      index += 4
      guard let value = Hex.decode(digits), value[0] == 0, value[1] < 0x20,
        ![8, 9, 10, 12, 13].contains(value[1]), digits == digits.lowercased()
      else { return nil }
      return value[1]
    default: return nil
    }
  }

  private mutating func take(_ text: StaticString) -> Bool {
    let end = index + text.utf8CodeUnitCount
    guard end <= bytes.count,
      bytes[index..<end].elementsEqual(
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    else { return false }
    index = end
    return true
  }
}
