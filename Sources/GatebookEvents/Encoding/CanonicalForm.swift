/// Tells canonical facts from other bytes without building anything: a verifier asks for each
/// event.
///
/// What people and programs usually write is walked through in place; what has an escape, a letter
/// outside ASCII or a number of many digits is read as `Facts` are.
package struct CanonicalForm {
  private let bytes: UnsafeRawBufferPointer
  private var index = 0

  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Whether bytes are exactly what `Facts.encoded` writes.
  package static func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isPlain(bytes) || Facts(decoding: bytes) != nil
  }

  /// Whether they are also printable ASCII without an escape: fit to be passed on unchanged as
  /// JSON.
  package static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var form = CanonicalForm(bytes)
    return form.object(depth: 0) && form.index == bytes.count
  }

  private mutating func value(depth: Int) -> Bool {
    guard depth < Facts.maximumDepth, index < bytes.count else { return false }
    switch bytes[index] {
    case UInt8(ascii: "\""): return text() != nil
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return list(depth: depth)
    case UInt8(ascii: "t"): return take("true")
    case UInt8(ascii: "f"): return take("false")
    case UInt8(ascii: "n"): return take("null")
    default: return integer()
    }
  }

  private mutating func object(depth: Int) -> Bool {
    guard take(UInt8(ascii: "{")) else { return false }
    if take(UInt8(ascii: "}")) { return true }
    var last: Range<Int>?
    repeat {
      guard let name = text(), last.map({ precedes($0, name) }) ?? true,
        take(UInt8(ascii: ":")), value(depth: depth + 1)
      else { return false }
      last = name
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}"))
  }

  private mutating func list(depth: Int) -> Bool {
    index += 1
    if take(UInt8(ascii: "]")) { return true }
    repeat {
      guard value(depth: depth + 1) else { return false }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]"))
  }

  /// Up to 18 digits, which no 64 bits are too few for.
  private mutating func integer() -> Bool {
    let isNegative = take(UInt8(ascii: "-"))
    let start = index
    while index < bytes.count, bytes[index] &- 48 < 10 { index += 1 }
    guard (1...18).contains(index - start) else { return false }
    return bytes[start] != 48 || (index - start == 1 && !isNegative)
  }

  /// The place of the content of a text of printable ASCII.
  private mutating func text() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = index
    // A local place stays in a register.
    var end = start
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\"") {
        index = end + 1
        return start..<end
      }
      guard (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\\") else { return nil }
      end += 1
    }
    return nil
  }

  private func precedes(_ name: Range<Int>, _ next: Range<Int>) -> Bool {
    for (left, right) in zip(name, next) where bytes[left] != bytes[right] {
      return bytes[left] < bytes[right]
    }
    return name.count < next.count
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
