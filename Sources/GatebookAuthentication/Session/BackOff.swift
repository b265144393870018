/// How long to leave a server alone after failures in a row: doubling, with a limit and with jitter.
///
/// 0.5 s · 2^n up to 60 s, 20 % more or less, so that clients that failed together do not come back
/// together.
package enum BackOff {
  private static let first = Duration.milliseconds(500)
  private static let limit = Duration.seconds(60)

  /// The wait after a failure.
  ///
  /// - Parameters:
  ///   - failures: How many came before it in a row.
  ///   - random: A random number.
  /// - Returns: 0.4 s to 72 s.
  package static func wait(after failures: Int64, random: UInt8) -> Duration {
    let doublings = max(0, min(failures, 7))
    let base = min(first * Int(1 << doublings), limit)
    return base / 5 * 4 + base * 2 / 5 * Int(random) / 255
  }

  /// The wait of those who have failed often.
  package static func longest(random: UInt8) -> Duration { wait(after: .max, random: random) }

  /// The wait that a server asked for is the least.
  package static func wait(
    after failures: Int64, random: UInt8, demanded: Duration?
  ) -> Duration {
    max(wait(after: failures, random: random), demanded ?? .zero)
  }
}
