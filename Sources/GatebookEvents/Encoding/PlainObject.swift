/// Tells whether bytes can be handed on as JSON just as they stand.
///
/// Most facts can: then nothing of them has to be made into a value.
package enum PlainObject {
  /// Whether bytes are one canonical JSON object of printable ASCII (see "Event format").
  ///
  /// It says no to some that are canonical too, such as those with control characters: they have to
  /// be read.
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
      var last: Range<Int>?
      while true {
        if areNamed {
          let start = index
          guard text() else { return false }
          let name = start + 1..<index - 1
          guard take(":"), last.map({ isOrdered($0, name) }) ?? true else { return false }
          last = name
        }
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

    /// Names are compared as they stand: where one has an escape they have to be read.
    private func isOrdered(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
      let (left, right) = (bytes[left], bytes[right])
      guard !left.contains(UInt8(ascii: "\\")), !right.contains(UInt8(ascii: "\\")) else {
        return false
      }
      return left.lexicographicallyPrecedes(right)
    }

    private mutating func escape() -> Bool {
      guard let byte = next else { return false }
      index += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        return true
      default: return false
      }
    }

    private mutating func integer() -> Bool {
      let isNegative = next == UInt8(ascii: "-")
      if isNegative { index += 1 }
      let start = index
      while let byte = next, byte &- 48 < 10 { index += 1 }
      // "007" and "-0" are other texts for a value that has its own; 18 digits fit into 64 bits.
      guard index > start, index - start <= 18 else { return false }
      return bytes[start] != UInt8(ascii: "0") || (index == start + 1 && !isNegative)
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
