internal import GatebookSystem

/// What other threads tell the proxy's thread, and what it tells them.
final class ProxyMail: Sendable {
  private struct State {
    var changed: Set<Int32> = []
    var isEnding = false
    var hasRung = false
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

  /// Becomes readable with the first letter.
  var descriptor: Int32 { pipe.output }

  /// What was done so far.
  var counts: ProxyCounts { state.withLock { $0.counts } }

  /// Counts.
  func count(_ change: (inout ProxyCounts) -> Void) { state.withLock { change(&$0.counts) } }

  /// Tells of a connection on which something has changed.
  func post(_ socket: Int32) { ring { $0.changed.insert(socket) } }

  /// Tells that the proxy is to end.
  func end() { ring { $0.isEnding = true } }

  /// Takes what came.
  func take() -> (changed: Set<Int32>, isEnding: Bool) {
    let (letters, hadRung) = state.withLock { state in
      defer {
        state.changed = []
        state.hasRung = false
      }
      return ((state.changed, state.isEnding), state.hasRung)
    }
    if hadRung { _ = FileDescriptor.readByte(pipe.output) }
    return letters
  }

  /// One byte is enough, however many letters there are: a pipe that is full would block.
  private func ring(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      guard !state.hasRung else { return }
      state.hasRung = true
      _ = FileDescriptor.write([1], to: pipe.input)
    }
  }
}
