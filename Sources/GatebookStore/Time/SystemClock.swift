public import GatebookEvents
internal import Glibc

/// The machine's clocks: `CLOCK_REALTIME` and `CLOCK_BOOTTIME`, which runs on in suspend.
public struct SystemClock: BookClock {
  /// Makes a clock.
  public init() {}

  /// Both clocks, read now.
  public func now() -> Moment {
    var wall = timespec()
    var boot = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    clock_gettime(CLOCK_BOOTTIME, &boot)
    return Moment(
      wall: Timestamp(rawValue: Int64(wall.tv_sec) * 1_000_000 + Int64(wall.tv_nsec) / 1000),
      boot: .seconds(boot.tv_sec) + .nanoseconds(boot.tv_nsec))
  }
}
