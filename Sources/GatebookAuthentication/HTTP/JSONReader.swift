package import GatebookEvents

/// Walks once over the bytes of a JSON document, which are known to be UTF-8.
struct JSONReader {
  private let bytes: [UInt8]
  private var index: Int

  /// Members of the outermost object whose value is a number that is no 64-bit integer: their text
  /// is not one that was written in quotes.
  private(set) var fractions: Set<String> = []

  init(_ bytes: [UInt8], from index: Int) {
    self.bytes = bytes
    self.index = index
  }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func document() -> FactValue? {
    guard let value = value(depth: 0) else { return nil }
    skipBlanks()
    return byte == nil ? value : nil
  }

  private mutating func value(depth: Int) -> FactValue? {
    skipBlanks()
    switch byte {
    case UInt8(ascii: "{"): return object(depth: depth + 1)
    case UInt8(ascii: "["): return list(depth: depth + 1)
    case UInt8.quote: return text().map(FactValue.text)
    case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func object(depth: Int) -> FactValue? {
    guard depth <= JSONDocument.maximumDepth, take("{") else { return nil }
    var members: [(name: String, value: FactValue)] = []
    if takeMark("}") { return .object(Facts()) }
    repeat {
      skipBlanks()
      guard members.count < JSONDocument.maximumMembers, let name = text(), takeMark(":") else {
        return nil
      }
      skipBlanks()
      let isQuoted = byte == .quote
      guard let value = value(depth: depth) else { return nil }
      if depth == 1, !isQuoted, value.text != nil { fractions.insert(name) }
      members.append((name, value))
    } while takeMark(",")
    guard takeMark("}"), let facts = Facts(members: members) else { return nil }
    return .object(facts)
  }

  private mutating func list(depth: Int) -> FactValue? {
    guard depth <= JSONDocument.maximumDepth, take("[") else { return nil }
    var values: [FactValue] = []
    if takeMark("]") { return .list(values) }
    repeat {
      guard let value = value(depth: depth) else { return nil }
      values.append(value)
    } while takeMark(",")
    return takeMark("]") ? .list(values) : nil
  }

  /// `[ minus ] int [ frac ] [ exp ]` (section 6).
  private mutating func number() -> FactValue? {
    let start = index
    _ = take("-")
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[index - whole] != UInt8(ascii: "0") else { return nil }
    if take("."), digits() == 0 { return nil }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      guard digits() > 0 else { return nil }
    }
    let text = bytes[start..<index].text
    return Int64(text).map { .integer($0) } ?? .text(text)
  }

  private mutating func digits() -> Int {
    let start = index
    while byte?.isDigit == true { index += 1 }
    return index - start
  }

  private mutating func text() -> String? {
    guard take("\"") else { return nil }
    var content: [UInt8] = []
    while let byte {
      index += 1
      switch byte {
      case .quote: return content.text
      case .backslash: guard appendEscaped(to: &content) else { return nil }
      case 0x20...: content.append(byte)
      default: return nil
      }
    }
    return nil
  }

  private mutating func appendEscaped(to content: inout [UInt8]) -> Bool {
    guard let byte else { return false }
    index += 1
    switch byte {
    case .quote, .backslash, .slash: content.append(byte)
    case UInt8(ascii: "b"): content.append(8)
    case UInt8(ascii: "f"): content.append(12)
    case UInt8(ascii: "n"): content.append(10)
    case UInt8(ascii: "r"): content.append(13)
    case UInt8(ascii: "t"): content.append(9)
    case UInt8(ascii: "u"):
      guard let scalar = scalar() else { return false }
      content.append(contentsOf: String(scalar).utf8)
    default: return false
    }
    return true
  }

  /// The character of one `\uXXXX` or of two that are a surrogate pair.
  private mutating func scalar() -> Unicode.Scalar? {
    guard let unit = unit() else { return nil }
    let behind = index
    if UTF16.isLeadSurrogate(unit), take("\\u"), let trail = self.unit() {
      if UTF16.isTrailSurrogate(trail) {
        let low = UInt32(trail & 0x3FF)
        return Unicode.Scalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | low))
      }
    }
    // The text after a lone surrogate is read on its own, and refused there if it is broken.
    index = behind
    return Unicode.Scalar(unit) ?? "\u{FFFD}"
  }

  private mutating func unit() -> UInt16? {
    guard index + 4 <= bytes.count else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[index..<index + 4] {
      guard let digit = byte.hexValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    index += 4
    return unit
  }

  private mutating func skipBlanks() {
    while let byte, byte.isBlank || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
      index += 1
    }
  }

  /// Takes a mark with blanks before it.
  private mutating func takeMark(_ mark: StaticString) -> Bool {
    skipBlanks()
    return take(mark)
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

/// Reads JSON as servers send it, strictly by RFC 8259.
///
/// Refused: a name twice in one object (readers differ in which one they take), bytes that are not
/// UTF-8, more than 32 levels, more than 65,536 members in one object. Taken: a byte order mark at
/// the start. A number that is no 64-bit integer is kept as the text that was written; a surrogate
/// without its other half becomes U+FFFD.
package enum JSONDocument {
  /// The deepest nesting of lists and objects.
  package static let maximumDepth = 32

  /// The most members of one object.
  package static let maximumMembers = 1 << 16

  /// The value of a document.
  ///
  /// - Parameters:
  ///   - bytes: The whole document.
  ///   - maximumSize: The most bytes that are looked at; a larger document is refused.
  /// - Complexity: The size of the document, times the logarithm of the members of its largest
  ///   object.
  /// - Returns: The value; `nil` for anything that is not one JSON value.
  package static func read(_ bytes: [UInt8], maximumSize: Int = 1 << 20) -> FactValue? {
    var reader = reader(of: bytes, maximumSize: maximumSize)
    return reader?.document()
  }

  /// The members of a document that is one object, and which of them are numbers although they
  /// are kept as text.
  static func members(
    _ bytes: [UInt8], maximumSize: Int = 1 << 20
  ) -> (facts: Facts, fractions: Set<String>)? {
    guard var reader = reader(of: bytes, maximumSize: maximumSize),
      let facts = reader.document()?.object
    else { return nil }
    return (facts, reader.fractions)
  }

  private static func reader(of bytes: [UInt8], maximumSize: Int) -> JSONReader? {
    guard bytes.count <= maximumSize, String(validating: bytes, as: UTF8.self) != nil else {
      return nil
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return JSONReader(bytes, from: bytes.starts(with: mark) ? mark.count : 0)
  }
}
