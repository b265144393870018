internal import CCurl
internal import GatebookAuthentication
internal import GatebookSystem

/// What callers and the thread of a transport share; it outlives both.
///
/// The bell is rung under the lock: the thread takes it away under the same lock before it frees
/// what the bell points to.
final class AskQueue: Sendable {
  /// What came since the thread last looked.
  struct Letters: Sendable {
    var waiting: [Ask] = []
    var withdrawn: [Ask] = []
    var isStopped = false

    var isEmpty: Bool { waiting.isEmpty && withdrawn.isEmpty && !isStopped }
  }

  private struct State {
    var letters = Letters()
    var isServed = false
    var bell: Bell?
  }

  private let state = Locked(State())

  /// Queues a request; says whether a thread has to be started for it.
  func submit(_ ask: Ask) -> Bool {
    state.withLock { state in
      state.letters.waiting.append(ask)
      state.bell?.ring()
      defer { state.isServed = true }
      return !state.isServed
    }
  }

  /// Tells the thread that a caller has cancelled.
  func withdraw(_ ask: Ask) {
    state.withLock {
      guard $0.isServed else { return }
      $0.letters.withdrawn.append(ask)
      $0.bell?.ring()
    }
  }

  /// Wakes the thread, if there is one: a streamed body can continue.
  func ring() {
    state.withLock { $0.bell?.ring() }
  }

  /// Tells the thread that the transport is gone.
  func stop() {
    state.withLock {
      $0.letters.isStopped = true
      $0.bell?.ring()
    }
  }

  /// The thread can be woken from now on.
  func attend(_ bell: Bell) {
    state.withLock { $0.bell = bell }
  }

  /// Takes what came.
  func take() -> Letters {
    state.withLock { state in
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

/// Wakes a thread that waits in `curl_multi_poll`.
// Unchecked: `curl_multi_wakeup` is the one function that libcurl allows from other threads.
struct Bell: @unchecked Sendable {
  private let wakeup: @convention(c) (UnsafeMutableRawPointer?) -> CURLMcode
  private let multi: UnsafeMutableRawPointer

  init(_ library: CurlLibrary, _ multi: UnsafeMutableRawPointer) {
    wakeup = library.functions.pointee.curl_multi_wakeup
    self.multi = multi
  }

  /// Wakes the thread; rings that nobody has heard yet count as one.
  func ring() {
    _ = wakeup(multi)
  }
}
