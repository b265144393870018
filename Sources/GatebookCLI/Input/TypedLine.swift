/// A line as it is typed on a terminal that shows nothing by itself, for answers that anybody may see.
///
/// The kernel would also show what is typed ahead of the next question, which may be a secret.
struct TypedLine {
  /// What a byte does.
  enum Effect: Equatable {
    /// These bytes are shown.
    case shows([UInt8])
    /// So many columns are taken back.
    case erases(Int)
    /// The line is complete.
    case ends
    /// The input has ended, before a byte of the line.
    case isOver
  }

  /// The line so far.
  private(set) var bytes: [UInt8] = []

  /// Takes a byte; the keys for editing are those of a terminal's first settings.
  mutating func take(_ byte: UInt8) -> Effect {
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return .ends
    case 0x04: return bytes.isEmpty ? .isOver : .shows([])  // Ctrl-D
    case 0x7F, 0x08: return .erases(eraseCharacter())
    case 0x15: return .erases(eraseAll())  // Ctrl-U
    case 0x17: return .erases(eraseWord())  // Ctrl-W
    case 0..<0x20: return .shows([])
    default:
      bytes.append(byte)
      return .shows([byte])
    }
  }

  private var width: Int { DisplayWidth.of(String(decoding: bytes, as: UTF8.self)) }

  private mutating func eraseCharacter() -> Int {
    let before = width
    while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    return before - width
  }

  private mutating func eraseAll() -> Int {
    let before = width
    bytes = []
    return before
  }

  private mutating func eraseWord() -> Int {
    let before = width
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    while let last = bytes.last, last != UInt8(ascii: " ") { bytes.removeLast() }
    return before - width
  }
}
