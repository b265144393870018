internal import Glibc

/// The clocks of the kernel.
package enum SystemTime {
  /// Microseconds since 1970, as the machine's clock is set.
  package static var wall: Int64 { microseconds(of: read(CLOCK_REALTIME)) }

  /// Microseconds on a clock that never jumps, and stands while the machine sleeps.
  package static var monotonic: Int64 { microseconds(of: read(CLOCK_MONOTONIC)) }

  /// How long the machine has run, its sleep included.
  package static var sinceBoot: Duration {
    let time = read(CLOCK_BOOTTIME)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }

  private static func microseconds(of time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
