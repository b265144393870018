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
