internal import GatebookSystem

extension BodySource {
  /// A body that is a file; it is read while it is sent.
  ///
  /// - Parameter path: The file.
  /// - Returns: The body.
  /// - Throws: `configuration.invalid` for a file that cannot be opened.
  public static func file(_ path: String) throws(GatebookError) -> BodySource {
    try parts([.file(path)])
  }

  /// A body made of parts, one after the other; files are read while they are sent.
  ///
  /// It can be read again, and its size is known, if each file is a regular one: pipes and devices
  /// can be read once.
  ///
  /// - Parameter parts: The parts, in their order.
  /// - Returns: The body.
  /// - Throws: `configuration.invalid` for a file that cannot be opened.
  public static func parts(_ parts: [BodyPart]) throws(GatebookError) -> BodySource {
    var openParts: [OpenBodyPart] = []
    for part in parts { openParts.append(try OpenBodyPart(part)) }
    let cursor = Cursor(openParts)
    guard openParts.allSatisfy({ $0.count != nil }) else { return BodySource(read: cursor.next) }
    return BodySource(
      count: openParts.reduce(0) { $0 + ($1.count ?? 0) }, rewind: cursor.rewind,
      read: cursor.next)
  }

  /// How far the parts were read.
  private final class Cursor: Sendable {
    private let parts: [OpenBodyPart]
    private let place = Locked((part: 0, offset: 0))

    init(_ parts: [OpenBodyPart]) { self.parts = parts }

    @Sendable func rewind() { place.withLock { $0 = (0, 0) } }

    @Sendable func next(
      _ buffer: UnsafeMutableRawBufferPointer
    ) throws(GatebookError) -> Int? {
      try place.withLock { place throws(GatebookError) in
        while place.part < parts.count {
          guard let count = try parts[place.part].read(buffer, at: place.offset) else { return nil }
          guard count == 0 else {
            place.offset += count
            return count
          }
          place = (place.part + 1, 0)
        }
        return 0
      }
    }
  }
}
