internal import GatebookSystem

/// Reads one line from a descriptor and not a byte more, so that what follows stays for others.
enum InputLine {
  /// Why there is no line.
  enum Failure: Error, Hashable {
    /// The input ended before a byte came.
    case ended
    /// The run was cancelled.
    case cancelled
    /// The line has more than `limit` bytes.
    case tooLong
    /// The line has no bytes.
    case empty
    /// The line contains a NUL character.
    case hasNUL
    /// The line is not UTF-8.
    case notText
    /// The descriptor cannot be read.
    case unreadable(SystemError)
  }

  /// The most bytes a line may have.
  static let limit = 65_536

  /// Reads up to the line's end, which is taken off, with or without a carriage return.
  ///
  /// - Parameters:
  ///   - descriptor: Where to read.
  ///   - interruption: A descriptor that becomes readable when the run is cancelled.
  /// - Returns: The line; the last one may do without an end.
  /// - Throws: Why there is none.
  static func read(
    from descriptor: Int32, interruption: Int32?
  ) throws(Failure) -> [UInt8] {
    var line: [UInt8] = []
    while true {
      guard let byte = try nextByte(from: descriptor, interruption: interruption) else {
        guard !line.isEmpty else { throw .ended }
        return line
      }
      guard byte != UInt8(ascii: "\n") else {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
      }
      line.append(byte)
      guard line.count <= limit else { throw .tooLong }
    }
  }

  /// The text of a line that can be an answer or a secret: at least one byte of UTF-8, without NUL.
  static func text(_ line: [UInt8]) throws(Failure) -> String {
    guard !line.isEmpty else { throw .empty }
    guard !line.contains(0) else { throw .hasNUL }
    guard let text = String(validating: line, as: UTF8.self) else { throw .notText }
    return text
  }

  /// Reads one byte.
  ///
  /// - Parameters:
  ///   - descriptor: Where to read.
  ///   - interruption: A descriptor that becomes readable when the run is cancelled.
  /// - Returns: The byte; `nil` where the input ends.
  /// - Throws: Why there is none.
  static func nextByte(
    from descriptor: Int32, interruption: Int32?
  ) throws(Failure) -> UInt8? {
    while true {
      try wait(for: descriptor, interruption: interruption)
      if let read = FileDescriptor.readByte(descriptor) { return read.first }
      let error = SystemError.last
      guard [.interrupted, .wouldBlock].contains(error) else { throw .unreadable(error) }
    }
  }

  private static func wait(for descriptor: Int32, interruption: Int32?) throws(Failure) {
    guard let interruption else { return }
    while true {
      if let isReady = FileDescriptor.awaitReadable([descriptor, interruption]) {
        guard !isReady[1] else { throw .cancelled }
        return
      }
      let error = SystemError.last
      guard error == .interrupted else { throw .unreadable(error) }
    }
  }
}

/// A line as it is typed on a terminal without echo, for answers that anybody may see.
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
