internal import Glibc

/// The clocks of the kernel.
package enum SystemTime {
  /// Microseconds since 1970, as the machine's clock is set.
  package static var wall: Int64 { microseconds(of: read(CLOCK_REALTIME)) }

  /// Microseconds on a clock that never jumps, and stops while the machine sleeps.
  package static var monotonic: Int64 { microseconds(of: read(CLOCK_MONOTONIC)) }

  /// How long the machine has run, its sleep included.
  package static var sinceBoot: Duration {
    let time = read(CLOCK_BOOTTIME)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// How many seconds local time is ahead of UTC then.
  ///
  /// - Parameter seconds: The time, in seconds since 1970.
  /// - Returns: `nil` for a time that the system cannot name.
  package static func zoneOffset(at seconds: Int64) -> Int64? {
    var time = time_t(seconds)
    var fields = tm()
    guard localtime_r(&time, &fields) != nil else { return nil }
    return Int64(fields.tm_gmtoff)
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
