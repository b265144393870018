public import GatebookEvents
internal import GatebookSystem

/// A request's body that is read while it is sent, so that it is never in memory as a whole.
///
/// ```swift
/// var upload = HTTPRequest("PUT", url)
/// upload.source = try BodySource.file("/home/ada/film.mkv")
/// let reply = try await book.send(upload)
/// ```
///
/// A body that can be read again is sent again where the session rules ask for that. One that
/// cannot, such as a pipe, is sent once: see ``SessionBook/send(_:as:)``.
public final class BodySource: Sendable {
  /// Fills a buffer with the next bytes.
  ///
  /// It runs on the transport's thread and must not wait: `nil` says that no bytes are there yet,
  /// and it is asked again soon after. 0 is the end.
  public typealias Read =
    @Sendable (UnsafeMutableRawBufferPointer) throws(GatebookError) -> Int?

  /// How many bytes it has; `nil` where that is unknown, and the body is sent in chunks (RFC 9112
  /// section 7.1).
  public let count: Int?
  private let read: Read
  private let rewind: (@Sendable () throws(GatebookError) -> Void)?
  private let isStarted = Locked(false)
  /// Tells the transport that bytes are there, so that it need not look again and again.
  package let bell: TransportBell
  /// Whether a beginning of it was read, and it is known to be long.
  let isLong: Bool

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - count: How many bytes it has, if that is known.
  ///   - rewind: Goes back to the first byte; `nil` for a source that can be read only once.
  ///   - read: Fills a buffer with the next bytes.
  public init(
    count: Int? = nil, rewind: (@Sendable () throws(GatebookError) -> Void)? = nil,
    read: @escaping Read
  ) {
    self.count = count
    self.read = read
    self.rewind = rewind
    bell = TransportBell()
    isLong = false
  }

  /// A source of what was read of another one, and of its rest.
  init(_ beginning: [UInt8], andRestOf source: BodySource) {
    let offset = Locked(0)
    count = source.count
    rewind = nil
    bell = source.bell
    isLong = true
    read = { (buffer) throws(GatebookError) in
      let filled = offset.withLock { offset in
        let size = min(beginning.count - offset, buffer.count)
        beginning.withUnsafeBytes {
          buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + size]))
        }
        offset += size
        return size
      }
      return filled > 0 ? filled : try source.read(buffer)
    }
  }

  /// Whether it can be read more than once.
  public var canRewind: Bool { rewind != nil }

  /// Whether it can be read from its beginning now.
  package var canStart: Bool { rewind != nil || !isStarted.withLock { $0 } }

  /// Goes to the first byte; a transport calls it before it reads.
  ///
  /// - Throws: `configuration.invalid` for a source that was read already and cannot go back.
  public func start() throws(GatebookError) {
    guard isStarted.withLock({ $0 }) else { return }
    guard let rewind else { throw Self.spent }
    try rewind()
  }

  /// Fills a buffer with the next bytes; a transport calls it while it sends.
  ///
  /// - Parameter buffer: What is filled, from its beginning.
  /// - Returns: How many bytes were filled; 0 at the end; `nil` when none are there yet.
  /// - Throws: What the source throws.
  public func next(_ buffer: UnsafeMutableRawBufferPointer) throws(GatebookError) -> Int? {
    isStarted.withLock { $0 = true }
    return try read(buffer)
  }

  /// Reads all of it into memory.
  ///
  /// - Parameters:
  ///   - limit: The most bytes.
  ///   - clock: Waits where no bytes are there yet.
  /// - Returns: The bytes.
  /// - Throws: `limit.exceeded` for more than that, `cancelled`, and what the source throws.
  package func bytes(
    limit: Int, _ clock: any BookClock
  ) async throws(GatebookError) -> [UInt8] {
    let (bytes, isWhole) = try await beginning(limit, clock)
    guard isWhole else {
      throw GatebookError(
        .limitExceeded,
        "The body has more than \(limit >> 20) MiB, and this login method must read it before it is sent.",
        kept: GatebookError.sessionKept, remedy: "Send a smaller body.")
    }
    return bytes
  }

  /// Reads its beginning.
  ///
  /// - Parameters:
  ///   - limit: How many bytes are enough.
  ///   - clock: Waits where no bytes are there yet.
  /// - Returns: The bytes, at least that many unless it has less, and whether these are all.
  /// - Throws: `cancelled`, and what the source throws.
  func beginning(
    _ limit: Int, _ clock: any BookClock
  ) async throws(GatebookError) -> (bytes: [UInt8], isWhole: Bool) {
    try start()
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = try chunk.withUnsafeMutableBufferPointer { buffer throws(GatebookError) in
        try next(UnsafeMutableRawBufferPointer(buffer))
      }
      guard count != 0 else { return (bytes, true) }
      guard let count else {
        await clock.pause(for: .milliseconds(20))
        guard !Task.isCancelled else {
          throw GatebookError(
            .cancelled, "Reading the body was cancelled.", kept: GatebookError.sessionKept,
            remedy: "Make a new request with a new body.")
        }
        continue
      }
      bytes += chunk[..<count]
    }
    return (bytes, false)
  }

  private static let spent = GatebookError(
    .configurationInvalid, "The body can be read only once, and it was read already.",
    kept: GatebookError.sessionKept, remedy: "Make a new request with a new body.")
}

extension BodySource: Hashable {
  /// A source is equal to itself alone.
  public static func == (left: BodySource, right: BodySource) -> Bool { left === right }

  /// Hashes its identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
