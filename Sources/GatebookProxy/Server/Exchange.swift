internal import Gatebook
internal import GatebookSystem

/// One request under way, between the proxy's thread, which speaks with the program, and the book,
/// which speaks with the server.
///
/// Both bodies pass it in pieces. Neither side is faster than the other by more than the window.
final class Exchange: Sendable {
  /// What has come from the server since the proxy's thread last looked.
  struct Answer {
    /// Status and fields, once, before the first bytes.
    var head: HTTPReply?
    var bytes: [UInt8] = []
    /// What the book returned, after the last bytes.
    var outcome: Result<HTTPReply, GatebookError>?
  }

  private struct State {
    var upload = ByteQueue()
    var isUploadEnded = false
    var isUploadWanted = false
    var answer = Answer()
    var isAbandoned = false
    var task: Task<Void, Never>?
  }

  private let state = Locked(State())
  private let window: Int
  private let bells = Locked<[TransportBell]>([])
  /// Tells the proxy's thread that something has changed.
  private let news: @Sendable () -> Void

  init(window: Int, news: @escaping @Sendable () -> Void) {
    self.window = window
    self.news = news
  }

  /// Sends the request.
  ///
  /// - Parameters:
  ///   - request: The request; with its body, if that has come already.
  ///   - length: How many bytes follow; `nil` where only the end says it. Without a body, 0.
  ///   - executor: Runs the task that sends it; `nil` for the shared pool.
  ///   - send: Sends it as the account.
  func begin(
    _ request: HTTPRequest, bodyLength length: Int?, on executor: (any TaskExecutor)? = nil,
    by send: @escaping @Sendable (HTTPRequest) async throws(GatebookError) -> HTTPReply
  ) {
    var request = request
    let sink = makeSink()
    request.sink = sink
    var bells = [sink.bell]
    if length != 0 {
      let source = makeSource(length)
      request.source = source
      bells.append(source.bell)
    }
    self.bells.withLock { $0 = bells }
    let task = Task(executorPreference: executor) { [self, request] in
      let outcome: Result<HTTPReply, GatebookError>
      do throws(GatebookError) {
        outcome = .success(try await send(request))
      } catch {
        outcome = .failure(error)
      }
      state.withLock { $0.answer.outcome = outcome }
      news()
    }
    state.withLock { $0.task = task }
  }

  // MARK: From the program

  /// How many bytes of the body may come now.
  var room: Int { state.withLock { $0.isAbandoned ? 0 : max(0, window - $0.upload.count) } }

  /// Whether somebody has asked for the body.
  var isUploadWanted: Bool { state.withLock { $0.isUploadWanted } }

  /// Takes bytes of the body.
  func give(_ bytes: ArraySlice<UInt8>, isEnd: Bool) {
    state.withLock {
      $0.upload.append(bytes)
      $0.isUploadEnded = isEnd
    }
    ring()
  }

  /// The program has gone, or has sent what is no body: nothing more of the request is sent.
  func abandon() {
    let task = state.withLock { state in
      state.isAbandoned = true
      return state.task
    }
    task?.cancel()
    ring()
  }

  // MARK: To the program

  /// Takes what has come from the server.
  func take() -> Answer {
    let (answer, wasFull) = state.withLock { state in
      defer { state.answer = Answer() }
      return (state.answer, state.answer.bytes.count >= window)
    }
    if wasFull { ring() }
    return answer
  }

  private func ring() {
    for bell in bells.withLock({ $0 }) { bell.ring() }
  }

  private func makeSource(_ length: Int?) -> BodySource {
    BodySource(count: length) { [self] buffer throws(GatebookError) in
      var isFirst = false
      let taken = try state.withLock { state throws(GatebookError) -> Int? in
        guard !state.isAbandoned else { throw Self.abandoned }
        isFirst = !state.isUploadWanted
        state.isUploadWanted = true
        guard state.upload.count > 0 else { return state.isUploadEnded ? 0 : nil }
        return state.upload.move(into: buffer)
      }
      if isFirst || (taken ?? 0) > 0 { news() }
      return taken
    }
  }

  private func makeSink() -> BodySink {
    BodySink(
      promptly: { [self] in state.withLock { $0.isAbandoned || $0.answer.bytes.count < window } },
      begin: { [self] head throws(GatebookError) in
        var head = head
        head.isStreamed = true
        state.withLock { [head] in $0.answer.head = head }
        news()
      },
      receive: { [self] piece throws(GatebookError) in
        try state.withLock { state throws(GatebookError) in
          guard !state.isAbandoned else { throw Self.abandoned }
          state.answer.bytes.append(contentsOf: piece)
        }
        news()
      })
  }

  private static let abandoned = GatebookError(
    .cancelled, "The program that sent the request has gone.", kept: "The session is kept.",
    remedy: "Nothing needs to be done.")
}

/// Bytes that come at one end and leave at the other.
struct ByteQueue: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }
  var rest: ArraySlice<UInt8> { bytes[start...] }

  mutating func append(_ more: some Collection<UInt8>) {
    if start > 0, start == bytes.count || start >= 1 << 16 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Takes bytes away from the beginning.
  mutating func drop(_ count: Int) {
    start += count
    if start == bytes.count {
      // A buffer that has once been large is given back.
      bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 16)
      start = 0
    }
  }

  /// Moves as many bytes as fit.
  mutating func move(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let size = min(count, buffer.count)
    bytes.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + size]))
    }
    drop(size)
    return size
  }
}
