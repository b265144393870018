/// Tells whether bytes can be handed on as JSON just as they stand.
///
/// Most facts can: then nothing of them has to be made into a value.
package enum PlainObject {
  /// Whether bytes are one JSON object (RFC 8259) of printable ASCII without blanks between its
  /// values, at most 16 levels deep; names that stand twice are not looked for.
  package static func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var scanner = Scanner(bytes: bytes)
    return scanner.next == UInt8(ascii: "{") && scanner.value(depth: 1)
      && scanner.index == bytes.count
  }

  private struct Scanner {
    let bytes: UnsafeRawBufferPointer
    var index = 0

    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func value(depth: Int) -> Bool {
      guard depth <= Facts.maximumDepth, let next else { return false }
      switch next {
      case UInt8(ascii: "{"): return members(depth, close: UInt8(ascii: "}"), areNamed: true)
      case UInt8(ascii: "["): return members(depth, close: UInt8(ascii: "]"), areNamed: false)
      case UInt8(ascii: "\""): return text()
      case UInt8(ascii: "t"): return take("true")
      case UInt8(ascii: "f"): return take("false")
      case UInt8(ascii: "n"): return take("null")
      default: return integer()
      }
    }

    private mutating func members(_ depth: Int, close: UInt8, areNamed: Bool) -> Bool {
      index += 1
      if next == close {
        index += 1
        return true
      }
      while true {
        if areNamed { guard text(), take(":") else { return false } }
        guard value(depth: depth + 1) else { return false }
        if next == close {
          index += 1
          return true
        }
        guard take(",") else { return false }
      }
    }

    private mutating func text() -> Bool {
      guard next == UInt8(ascii: "\"") else { return false }
      index += 1
      while let byte = next {
        index += 1
        switch byte {
        case UInt8(ascii: "\""): return true
        case UInt8(ascii: "\\"): guard escape() else { return false }
        case 0x20...0x7E: continue
        default: return false
        }
      }
      return false
    }

    private mutating func escape() -> Bool {
      guard let byte = next else { return false }
      index += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        return true
      case UInt8(ascii: "u"):
        for _ in 0..<4 {
          guard let digit = next, Hex.value(digit) != nil else { return false }
          index += 1
        }
        return true
      default: return false
      }
    }

    private mutating func integer() -> Bool {
      if next == UInt8(ascii: "-") { index += 1 }
      let start = index
      while let byte = next, byte &- 48 < 10 { index += 1 }
      // "007" is no JSON.
      return index == start + 1 || (index > start && bytes[start] != UInt8(ascii: "0"))
    }

    private mutating func take(_ text: StaticString) -> Bool {
      let end = index + text.utf8CodeUnitCount
      guard end <= bytes.count else { return false }
      for offset in 0..<text.utf8CodeUnitCount
      where bytes[index + offset] != text.utf8Start[offset] { return false }
      index = end
      return true
    }
  }
}
