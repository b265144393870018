/// Makes callers wait while it is shut.
actor Gate {
  private var isOpen: Bool
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var watchers: [CheckedContinuation<Void, Never>] = []

  init(isOpen: Bool) {
    self.isOpen = isOpen
  }

  /// Goes through, at once or as soon as it is opened.
  func pass() async {
    guard !isOpen else { return }
    await withCheckedContinuation { continuation in
      waiting.append(continuation)
      for watcher in watchers { watcher.resume() }
      watchers = []
    }
  }

  /// Waits until a caller waits at it, or it is open.
  func arrival() async {
    guard !isOpen, waiting.isEmpty else { return }
    await withCheckedContinuation { watchers.append($0) }
  }

  func shut() { isOpen = false }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
    // No caller will wait at it now.
    for watcher in watchers { watcher.resume() }
    watchers = []
  }
}
