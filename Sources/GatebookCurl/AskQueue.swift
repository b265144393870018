internal import GatebookAuthentication
internal import GatebookSystem

/// What callers and the thread of a transport share; it outlives both.
///
/// The bell is rung only while the thread waits, and not twice before it is heard. What comes at
/// another time lies here, and the thread does not wait before it has looked.
final class AskQueue: Sendable {
  /// What came since the thread last looked.
  struct Letters: Sendable {
    var waiting: [Ask] = []
    var withdrawn: [Ask] = []
    /// Whether a streamed body can continue.
    var canContinue = false
    var isStopped = false

    var isEmpty: Bool { waiting.isEmpty && withdrawn.isEmpty && !canContinue && !isStopped }
  }

  private struct State {
    var letters = Letters()
    var isServed = false
    var bell: Bell?
    /// Whether the thread waits, and nobody has rung.
    var isAsleep = false
    /// Whether the bell was rung and the thread has not looked since.
    var hasRung = false

    /// Wakes the thread, if it waits.
    mutating func ring() {
      guard isAsleep, let bell else { return }
      (isAsleep, hasRung) = (false, true)
      bell.ring()
    }
  }

  private let state = Locked(State())

  /// Queues a request; says whether a thread has to be started for it.
  func submit(_ ask: Ask) -> Bool {
    state.withLock { state in
      state.letters.waiting.append(ask)
      state.ring()
      defer { state.isServed = true }
      return !state.isServed
    }
  }

  /// Tells the thread that a caller has cancelled.
  func withdraw(_ ask: Ask) {
    state.withLock {
      guard $0.isServed else { return }
      $0.letters.withdrawn.append(ask)
      $0.ring()
    }
  }

  /// Tells the thread, if there is one, that a streamed body can continue.
  func ring() {
    state.withLock {
      guard $0.isServed else { return }
      $0.letters.canContinue = true
      $0.ring()
    }
  }

  /// Tells the thread that the transport is gone.
  func stop() {
    state.withLock {
      $0.letters.isStopped = true
      $0.ring()
    }
  }

  // MARK: The thread

  /// The thread can be woken from now on.
  func attend(_ bell: Bell) {
    state.withLock { $0.bell = bell }
  }

  /// The thread wants to wait, and the bell wakes it from now on; says whether it may wait: nothing
  /// has come since it last looked.
  func fallsAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.letters.isEmpty
      return state.isAsleep
    }
  }

  /// Takes what came.
  func take() -> Letters {
    state.withLock { state in
      if state.hasRung { state.bell?.hear() }
      (state.isAsleep, state.hasRung) = (false, false)
      defer { state.letters = Letters() }
      return state.letters
    }
  }

  /// The thread ends; the requests that it has not taken fail.
  func leave(_ failure: (Ask) -> TransportFailure) {
    let waiting = state.withLock { state in
      defer { state = State() }
      return state.letters.waiting
    }
    for ask in waiting { ask.answer(.failure(failure(ask))) }
  }

  /// The thread ends unless something came; says whether it does.
  func leaveIfEmpty() -> Bool {
    state.withLock {
      guard $0.letters.isEmpty else { return false }
      $0 = State()
      return true
    }
  }
}

/// Wakes the thread of a transport.
final class Bell: Sendable {
  private let pipe: Pipe

  /// Makes one that is silent; `nil` when the process has no descriptors left.
  init?() {
    guard let pipe = Pipe() else { return nil }
    self.pipe = pipe
  }

  deinit {
    FileDescriptor.close(pipe.input)
    FileDescriptor.close(pipe.output)
  }

  /// Becomes readable when it rings.
  var descriptor: Int32 { pipe.output }

  /// Rings; only one that was heard, because a pipe that is full would block.
  func ring() { _ = FileDescriptor.write([1], to: pipe.input) }

  /// Takes a ring away.
  func hear() { _ = FileDescriptor.readByte(pipe.output) }
}
