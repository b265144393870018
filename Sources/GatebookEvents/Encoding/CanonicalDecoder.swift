/// Reads what `Facts.encoded` writes and nothing else.
struct CanonicalDecoder {
  private let bytes: UnsafeRawBufferPointer
  private var index = 0

  /// Makes a decoder of bytes that outlive it.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The text in quotes, if nothing follows it.
  static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String? {
    var decoder = CanonicalDecoder(UnsafeRawBufferPointer(rebasing: bytes))
    guard let text = decoder.text(), decoder.isAtEnd else { return nil }
    return text
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
    if take(UInt8(ascii: "}")) { return .object(facts) }
    repeat {
      guard let name = text(), take(UInt8(ascii: ":")), let value = value(depth: depth + 1),
        facts.add(name, value)
      else { return nil }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? .object(facts) : nil
  }

  private mutating func list(depth: Int) -> FactValue? {
    index += 1
    var values: [FactValue] = []
    if take(UInt8(ascii: "]")) { return .list(values) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? .list(values) : nil
  }

  private mutating func integer() -> Int64? {
    let start = index
    guard let value = FactScanner.integer(in: bytes, at: &index) else { return nil }
    // "-0" and "007" are other texts for a value that has its own: refused.
    let first = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
    return bytes[first] != UInt8(ascii: "0") || index - start == 1 ? value : nil
  }

  private mutating func text() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = index
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        return String(validating: bytes[start..<index - 1], as: UTF8.self)
      case UInt8(ascii: "\\"): return escapedText(from: start)
      case 0x20...: index += 1
      default: return nil
      }
    }
    return nil
  }

  /// The rest of a text of which one escape is known.
  private mutating func escapedText(from start: Int) -> String? {
    var content = Array(bytes[start..<index])
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

  private mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func take(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { $0.allSatisfy { take($0) } }
  }
}
