internal import Gatebook
internal import GatebookSystem

/// Writes long results on a thread of its own: the next piece is made while one is written.
///
/// For gigabytes, writing takes the kernel as long as producing them takes us. At most one piece
/// waits, so that a slow disk or reader slows the producer.
final class WriteBehind {
  /// What the two threads hand each other.
  private struct Exchange: Sendable {
    /// What is to be written, or room for the next piece.
    var bytes: [UInt8] = []
    /// Whether a piece waits, or is being written.
    var isFull = false
    var isEnding = false
    var outcome = Outcome.success(true)

    var hasRoom: Bool { !isFull }
    var hasWork: Bool { isFull || isEnding }
  }

  /// Whether somebody still reads, or why it cannot be written.
  private typealias Outcome = Result<Bool, GatebookError>

  private let exchange = Locked(Exchange())
  private let thread: PosixThread
  private var hasEnded = false

  /// Begins to write in its own thread.
  ///
  /// - Parameter sink: Where it is written; nobody else writes there before ``end()``.
  /// - Throws: `limit.exceeded` when the machine has no thread left.
  init(_ sink: any ByteSink) throws(GatebookError) {
    thread = try PosixThread { [exchange] in Self.write(exchange, to: sink) }
  }

  deinit { stop() }

  /// Writes all the bytes after those before.
  ///
  /// - Parameter bytes: The bytes; empty afterwards, with the room of earlier ones.
  /// - Returns: Whether somebody still read the earlier ones.
  /// - Throws: `storage.full` or `configuration.invalid` where they could not be written.
  func write(_ bytes: inout [UInt8]) throws(GatebookError) -> Bool {
    let outcome = exchange.withLock(once: \.hasRoom) { exchange in
      if case .success(true) = exchange.outcome {
        swap(&exchange.bytes, &bytes)
        exchange.isFull = true
      }
      return exchange.outcome
    }
    return try outcome.get()
  }

  /// Waits until all is written.
  ///
  /// - Returns: Whether somebody still read it.
  /// - Throws: `storage.full` or `configuration.invalid` where it could not be written.
  func end() throws(GatebookError) -> Bool {
    stop()
    return try exchange.withLock { $0.outcome }.get()
  }

  private func stop() {
    guard !hasEnded else { return }
    hasEnded = true
    exchange.withLock { $0.isEnding = true }
    thread.join()
  }

  private static func write(_ exchange: Locked<Exchange>, to sink: any ByteSink) {
    var cache = sink.descriptor.map(WrittenCache.init)
    var bytes: [UInt8] = []
    while take(&bytes, from: exchange) {
      let outcome = Outcome { () throws(GatebookError) in try sink.write(bytes) }
      cache?.count(bytes.count)
      exchange.withLock { exchange in
        bytes.removeAll(keepingCapacity: true)
        swap(&exchange.bytes, &bytes)
        exchange.outcome = outcome
        exchange.isFull = false
      }
    }
  }

  /// Waits for the next piece; `false` where there will be none.
  private static func take(_ bytes: inout [UInt8], from exchange: Locked<Exchange>) -> Bool {
    exchange.withLock(once: \.hasWork) { exchange in
      swap(&exchange.bytes, &bytes)
      return exchange.isFull
    }
  }
}
