internal import Gatebook
internal import Glibc

/// The clocks of this machine.
struct MachineClock: BookClock {
  func now() -> Moment {
    let wall = Self.read(CLOCK_REALTIME)
    let boot = Self.read(CLOCK_BOOTTIME)
    return Moment(
      wall: Timestamp(rawValue: Int64(wall.tv_sec) * 1_000_000 + Int64(wall.tv_nsec) / 1_000),
      boot: .seconds(boot.tv_sec) + .nanoseconds(boot.tv_nsec))
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}
