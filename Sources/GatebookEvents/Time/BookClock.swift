/// Where the time comes from; handed in by initialiser so that every run can be replayed.
public protocol BookClock: Sendable {
  /// Both clocks, read now.
  func now() -> Moment

  /// Waits; a wait that is cancelled ends early.
  ///
  /// A clock of tests lets the time pass instead.
  func sleep(for duration: Duration) async
}

extension BookClock {
  /// Waits in real time.
  public func sleep(for duration: Duration) async {
    try? await Task.sleep(for: duration)
  }
}
