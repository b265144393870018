internal import GatebookEvents
internal import GatebookSystem

/// Encodes the events of one large append on a thread of its own, while the caller's thread
/// inserts those before: the two cost about the same.
///
/// Three chunks go round between the threads, so both have work, and the memory stays small.
final class EncodedChunks {
  /// Some events in their order.
  // Sendable by hand: one thread at a time has it.
  final class Chunk: @unchecked Sendable {
    private var events: [(event: EncodedEvent, bytes: Range<Int>)] = []
    private var bytes: [UInt8] = []
    /// What they complete.
    var completed = CompletedRows()

    fileprivate func removeAll() {
      events.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
      completed = CompletedRows()
    }

    func add(_ event: EncodedEvent, _ content: UnsafeRawBufferPointer) {
      let start = bytes.count
      bytes.append(contentsOf: content)
      events.append((event, start..<bytes.count))
    }

    /// Hands out each event with its bytes.
    func handOut(
      _ body: (EncodedEvent, UnsafeRawBufferPointer) throws(GatebookError) -> Void
    ) throws(GatebookError) {
      try bytes.withUnsafeBufferPointer { (bytes) throws(GatebookError) in
        let bytes = UnsafeRawBufferPointer(bytes)
        for (event, range) in events {
          try body(event, UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
      }
    }
  }

  /// So many events are worth a thread.
  static let least = 64
  private static let size = 32

  private struct State: Sendable {
    var free = [Chunk(), Chunk(), Chunk()]
    var full: [Chunk] = []
    var isEnded = false
    var isStopped = false

    var hasRoom: Bool { !free.isEmpty || isStopped }
    var hasNews: Bool { !full.isEmpty || isEnded }
  }

  private let state: Locked<State>
  private let thread: PosixThread

  /// Starts to encode.
  ///
  /// - Parameters:
  ///   - count: How many events there are.
  ///   - encode: Encodes the event with an index into a chunk, on the other thread, in order.
  /// - Throws: `limit.exceeded` when the machine has no thread left; nothing was encoded then.
  init(
    count: Int, _ encode: @escaping @Sendable (Int, Chunk) -> Void
  ) throws(GatebookError) {
    let state = Locked(State())
    self.state = state
    thread = try PosixThread {
      for first in stride(from: 0, to: count, by: Self.size) {
        let chunk = state.withLock(once: \.hasRoom) { state in
          state.isStopped ? nil : state.free.removeLast()
        }
        guard let chunk else { break }
        for index in first..<min(first + Self.size, count) { encode(index, chunk) }
        state.withLock { $0.full.append(chunk) }
      }
      state.withLock { $0.isEnded = true }
    }
  }

  /// Hands out the chunks in their order, and waits for the thread's end.
  ///
  /// - Parameter body: Inserts a chunk; after an error nothing more is encoded.
  /// - Throws: What the body throws.
  func handOut(_ body: (Chunk) throws(GatebookError) -> Void) throws(GatebookError) {
    defer {
      state.withLock { $0.isStopped = true }
      thread.join()
    }
    while let chunk = next() {
      try body(chunk)
      chunk.removeAll()
      state.withLock { $0.free.append(chunk) }
    }
  }

  private func next() -> Chunk? {
    state.withLock(once: \.hasNews) { state in
      state.full.isEmpty ? nil : state.full.removeFirst()
    }
  }
}
