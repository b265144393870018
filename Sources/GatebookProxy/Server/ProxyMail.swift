internal import GatebookSystem

/// What other threads tell the proxy's thread, and what it tells them.
///
/// It is also the executor of the requests' tasks. Their pieces run on the proxy's thread, between
/// two looks at the sockets: so a request goes from thread to thread twice less.
final class ProxyMail: TaskExecutor {
  /// What came since the thread last looked.
  struct Letters {
    /// The connections on which something has changed.
    var changed: Set<Int32> = []
    var isEnding = false
    /// Pieces of tasks.
    var jobs: [UnownedJob] = []

    var isEmpty: Bool { changed.isEmpty && jobs.isEmpty && !isEnding }
  }

  private struct State {
    var letters = Letters()
    /// Whether the thread waits, and nobody has rung.
    var isAsleep = false
    /// Whether the bell was rung and the thread has not looked since.
    var hasRung = false
    /// Whether the thread has ended.
    var isLeft = false
    var counts = ProxyCounts()
  }

  private let state = Locked(State())
  private let pipe: Pipe

  /// Makes an empty one; `nil` when the process has no descriptors left.
  init?() {
    guard let pipe = Pipe() else { return nil }
    self.pipe = pipe
  }

  deinit {
    FileDescriptor.close(pipe.input)
    FileDescriptor.close(pipe.output)
  }

  /// Becomes readable with the first letter that comes while the thread waits.
  var descriptor: Int32 { pipe.output }

  /// What was done so far.
  var counts: ProxyCounts { state.withLock { $0.counts } }

  /// Counts.
  func count(_ change: (inout ProxyCounts) -> Void) { state.withLock { change(&$0.counts) } }

  /// Tells of a connection on which something has changed.
  func post(_ socket: Int32) { send { $0.changed.insert(socket) } }

  /// Tells that the proxy is to end.
  func end() { send { $0.isEnding = true } }

  /// Runs a piece of a task on the proxy's thread; after its end, on the shared pool.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !send({ $0.jobs.append(job) }) { Self.pass(job) }
  }

  /// The thread wants to wait; says whether it may: nothing has come.
  func fallsAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.letters.isEmpty
      return state.isAsleep
    }
  }

  /// Takes what came.
  func take() -> Letters {
    let (letters, hadRung) = state.withLock { state in
      defer {
        state.letters = Letters()
        (state.isAsleep, state.hasRung) = (false, false)
      }
      return (state.letters, state.hasRung)
    }
    if hadRung { _ = FileDescriptor.readByte(pipe.output) }
    return letters
  }

  /// The thread ends.
  func leave() {
    let jobs = state.withLock { state in
      state.isLeft = true
      return state.letters.jobs
    }
    for job in jobs { Self.pass(job) }
  }

  private static func pass(_ job: UnownedJob) {
    globalConcurrentExecutor.enqueue(ExecutorJob(job))
  }

  /// - Returns: Whether the thread will look.
  @discardableResult
  private func send(_ change: (inout Letters) -> Void) -> Bool {
    state.withLock { state in
      guard !state.isLeft else { return false }
      change(&state.letters)
      if state.isAsleep {
        // One byte is enough, however many letters there are: a pipe that is full would block.
        _ = FileDescriptor.write([1], to: pipe.input)
        (state.isAsleep, state.hasRung) = (false, true)
      }
      return true
    }
  }
}
