/// Reads one JSON text (RFC 8259) to its end.
struct PlainJSONReader {
  private static let depthLimit = 64

  private let bytes: [UInt8]
  private var index = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The value; `nil` when the bytes are not exactly one JSON text.
  static func read(_ bytes: [UInt8]) -> PlainJSON? {
    var reader = PlainJSONReader(bytes)
    let value = reader.value(depth: 0)
    reader.skipBlanks()
    return reader.index == bytes.count ? value : nil
  }

  private mutating func value(depth: Int) -> PlainJSON? {
    guard depth < Self.depthLimit else { return nil }
    skipBlanks()
    switch peek {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func object(depth: Int) -> PlainJSON? {
    var members: [PlainJSON.Member] = []
    guard take("{") else { return nil }
    if takeAfterBlanks("}") { return .object(members) }
    repeat {
      skipBlanks()
      guard let name = string(), takeAfterBlanks(":"), let value = value(depth: depth + 1) else {
        return nil
      }
      members.append(PlainJSON.Member(name: name, value: value))
    } while takeAfterBlanks(",")
    return takeAfterBlanks("}") ? .object(members) : nil
  }

  private mutating func array(depth: Int) -> PlainJSON? {
    var values: [PlainJSON] = []
    guard take("[") else { return nil }
    if takeAfterBlanks("]") { return .array(values) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while takeAfterBlanks(",")
    return takeAfterBlanks("]") ? .array(values) : nil
  }

  private mutating func number() -> PlainJSON? {
    let start = index
    while let byte = peek, "+-0123456789.eE".utf8.contains(byte) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    return Double(text) == nil ? nil : .number(text)
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var units: [UInt16] = []
    var plain: [UInt8] = []
    while let byte = peek {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        units += Array(String(decoding: plain, as: UTF8.self).utf16)
        return String(decoding: units, as: UTF16.self)
      case UInt8(ascii: "\\"):
        units += Array(String(decoding: plain, as: UTF8.self).utf16)
        plain = []
        guard let unit = escape() else { return nil }
        units.append(unit)
      case 0..<0x20: return nil
      default: plain.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> UInt16? {
    guard let byte = peek else { return nil }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "u"):
      guard index + 4 <= bytes.count else { return nil }
      defer { index += 4 }
      return UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
    default: return nil
    }
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
  }

  private mutating func take(_ text: StaticString) -> Bool {
    let expected = text.withUTF8Buffer { Array($0) }
    guard bytes[index...].starts(with: expected) else { return false }
    index += expected.count
    return true
  }

  private mutating func takeAfterBlanks(_ text: StaticString) -> Bool {
    skipBlanks()
    return take(text)
  }
}
