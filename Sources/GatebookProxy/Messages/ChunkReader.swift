/// Takes the chunks of a body apart as they come (RFC 9112 section 7.1).
///
/// Strict: a line ends with CR and LF, a size is 1 to 15 hexadecimal digits, extensions are skipped
/// within a limit. Trailer fields are read and dropped (section 7.1.2 allows it): requests
/// were smuggled in them.
package struct ChunkReader: Sendable {
  private enum State: Sendable {
    case size(digits: Int, value: Int)
    case skipped, sizeEnd
    case data(left: Int)
    case dataReturn, dataEnd
    case trailer
    case trailerEnd(isEmpty: Bool)
    case end
  }

  private var state = State.size(digits: 0, value: 0)
  /// How many bytes this size line, or all trailer lines, have.
  private var overhead = 0
  private var line: [UInt8] = []

  package init() {}

  /// Whether the last chunk and its trailer have come.
  package var isEnded: Bool { if case .end = state { true } else { false } }

  /// Takes bytes, up to the end of the body.
  ///
  /// - Parameters:
  ///   - bytes: What came.
  ///   - body: Gets the bytes of the body.
  /// - Returns: How many bytes were taken: all, unless the body ended before.
  /// - Throws: `framing` for anything that is no chunk.
  package mutating func take(
    _ bytes: ArraySlice<UInt8>, into body: inout [UInt8]
  ) throws(ProxyRefusal) -> Int {
    var place = bytes.startIndex
    while place < bytes.endIndex {
      if case .end = state { break }
      if case .data(let left) = state {
        let count = min(left, bytes.endIndex - place)
        body += bytes[place..<place + count]
        place += count
        state = left == count ? .dataReturn : .data(left: left - count)
        continue
      }
      try step(bytes[place])
      place += 1
    }
    return place - bytes.startIndex
  }

  private mutating func step(_ byte: UInt8) throws(ProxyRefusal) {
    switch state {
    case .size(let digits, let value):
      if let digit = Self.hex(byte) {
        guard digits < 15 else { throw .framing }
        state = .size(digits: digits + 1, value: value << 4 | digit)
        return
      }
      guard digits > 0 else { throw .framing }
      left = value
      overhead = 0
      switch byte {
      case 0x0D: state = .sizeEnd
      case 0x3B: state = .skipped
      default: throw .framing
      }
    case .skipped:
      overhead += 1
      guard overhead <= Self.longestExtension else { throw .framing }
      if byte == 0x0D { state = .sizeEnd } else { try check(byte) }
    case .sizeEnd:
      guard byte == 0x0A else { throw .framing }
      overhead = 0
      state = left == 0 ? .trailer : .data(left: left)
    case .dataReturn:
      guard byte == 0x0D else { throw .framing }
      state = .dataEnd
    case .dataEnd:
      guard byte == 0x0A else { throw .framing }
      state = .size(digits: 0, value: 0)
    case .trailer:
      overhead += 1
      guard overhead <= Self.longestTrailer else { throw .headerTooLong }
      guard byte == 0x0D else {
        try check(byte)
        line.append(byte)
        return
      }
      state = .trailerEnd(isEmpty: line.isEmpty)
    case .trailerEnd(let isEmpty):
      guard byte == 0x0A else { throw .framing }
      if !isEmpty { _ = try RequestHead.field(line[...]) }
      line = []
      state = isEmpty ? .end : .trailer
    case .data, .end: break
    }
  }

  /// The size that was read last.
  private var left = 0
  private static let longestExtension = 256
  private static let longestTrailer = 8 << 10

  private func check(_ byte: UInt8) throws(ProxyRefusal) {
    guard byte == 0x09 || (byte >= 0x20 && byte != 0x7F) else { throw .framing }
  }

  private static func hex(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46: Int(byte) - 0x37
    case 0x61...0x66: Int(byte) - 0x57
    default: nil
    }
  }
}
