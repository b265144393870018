internal import Gatebook
internal import Glibc

/// The machine's own clocks, for servers that nobody gave one.
struct MachineClock: BookClock {
  func now() -> Moment {
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    var boot = timespec()
    clock_gettime(CLOCK_BOOTTIME, &boot)
    return Moment(
      wall: Timestamp(rawValue: Int64(wall.tv_sec) * 1_000_000 + Int64(wall.tv_nsec) / 1000),
      boot: .seconds(boot.tv_sec) + .nanoseconds(boot.tv_nsec))
  }
}
