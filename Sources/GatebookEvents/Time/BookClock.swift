/// Where the time comes from; handed in by initialiser so that every run can be replayed.
public protocol BookClock: Sendable {
  /// Both clocks, read now.
  func now() -> Moment
}
