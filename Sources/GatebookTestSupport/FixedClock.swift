public import Gatebook
internal import GatebookSystem

/// A clock that does not move until a test moves it.
public final class FixedClock: BookClock {
  private let moment: Locked<Moment>

  /// Makes a clock that shows a moment.
  ///
  /// - Parameter moment: What it shows; 2026-01-02T03:04:05Z and 1000 s after the machine's start
  ///   unless given.
  public init(
    _ moment: Moment = Moment(
      wall: Timestamp(rawValue: 1_767_323_045_000_000), boot: .seconds(1000),
      bootID: BootID(rawValue: 1))
  ) {
    self.moment = Locked(moment)
  }

  /// The moment that the clock shows.
  public func now() -> Moment {
    moment.withLock { $0 }
  }

  /// Lets time pass: both clocks move.
  public func advance(by duration: Duration) {
    moment.withLock { moment in
      moment.wall = moment.wall + duration
      moment.boot += duration
    }
  }

  /// Lets the time pass at once.
  public func sleep(for duration: Duration) async {
    advance(by: duration)
  }

  /// Waits for a moment of real time, however long the pause: no test waits for the next look.
  public func pause(for duration: Duration) async {
    try? await Task.sleep(for: min(duration, .milliseconds(5)))
  }

  /// Lets the wall clock alone jump, forwards or with a negative duration backwards.
  public func jump(by duration: Duration) {
    moment.withLock { $0.wall = $0.wall + duration }
  }

  /// Restarts the machine: the boot clock starts over, and the wall clock may show any time.
  ///
  /// - Parameters:
  ///   - wall: What the wall clock shows afterwards.
  ///   - boot: How long ago the machine started.
  public func restart(showing wall: Timestamp, after boot: Duration = .seconds(10)) {
    moment.withLock { moment in
      let former = moment.bootID?.rawValue ?? 0
      moment = Moment(wall: wall, boot: boot, bootID: BootID(rawValue: former + 1))
    }
  }

  /// Puts both clocks anywhere.
  public func set(_ moment: Moment) {
    self.moment.withLock { $0 = moment }
  }
}
