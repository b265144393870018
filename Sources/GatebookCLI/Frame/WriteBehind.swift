internal import Gatebook
internal import GatebookThreads
internal import Glibc

/// Writes an output file on a thread of its own: the next piece is made while one is written.
///
/// Of gigabytes the kernel's part takes as long as it takes to make them. One piece waits at most, so that
/// a slow disk holds up whoever makes them.
final class WriteBehind {
  /// What the two threads hand each other.
  private struct Exchange: Sendable {
    /// What is to be written, or room for the next piece.
    var bytes: [UInt8] = []
    /// Whether a piece waits, or is being written.
    var isFull = false
    var isEnding = false
    var failure: GatebookError?

    var hasRoom: Bool { !isFull }
    var hasWork: Bool { isFull || isEnding }
  }

  private let file: OutputFile
  private let exchange = Guarded(Exchange())
  private let thread: PosixThread
  private var hasEnded = false

  /// Begins to write behind its caller.
  ///
  /// - Parameter file: The file, which nobody else writes or finishes before ``end()``.
  /// - Throws: `limit.exceeded` when the machine has no thread left.
  init(_ file: OutputFile) throws(GatebookError) {
    self.file = file
    thread = try PosixThread { [exchange, descriptor = file.descriptor] in
      Self.write(exchange, to: descriptor)
    }
  }

  deinit { stop() }

  /// Writes all the bytes behind those before.
  ///
  /// - Parameter bytes: The bytes; empty afterwards, with the room of earlier ones.
  /// - Throws: `storage.full` or `configuration.invalid` where earlier ones could not be written.
  func write(_ bytes: inout [UInt8]) throws(GatebookError) {
    let failure: GatebookError? = exchange.withLock(once: \.hasRoom) { exchange in
      guard exchange.failure == nil else { return exchange.failure }
      swap(&exchange.bytes, &bytes)
      exchange.isFull = true
      return nil
    }
    if let failure { throw failure }
  }

  /// Waits until all is written.
  ///
  /// - Throws: `storage.full` or `configuration.invalid` where it could not be.
  func end() throws(GatebookError) {
    stop()
    if let failure = exchange.withLock({ $0.failure }) { throw failure }
  }

  private func stop() {
    guard !hasEnded else { return }
    hasEnded = true
    exchange.withLock { $0.isEnding = true }
    thread.join()
  }

  private static func write(_ exchange: Guarded<Exchange>, to descriptor: Int32) {
    var bytes: [UInt8] = []
    while take(&bytes, from: exchange) {
      let failure = TextFile.writeAll(bytes, descriptor) ? nil : TextFile.unwritable(errno)
      exchange.withLock { exchange in
        bytes.removeAll(keepingCapacity: true)
        swap(&exchange.bytes, &bytes)
        exchange.failure = failure
        exchange.isFull = false
      }
    }
  }

  /// Waits for the next piece; `false` where there will be none.
  private static func take(_ bytes: inout [UInt8], from exchange: Guarded<Exchange>) -> Bool {
    exchange.withLock(once: \.hasWork) { exchange in
      swap(&exchange.bytes, &bytes)
      return exchange.isFull
    }
  }
}
