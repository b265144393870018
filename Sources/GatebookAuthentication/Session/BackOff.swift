/// How long to leave a server alone after failures in a row: doubling, with a limit and with
/// jitter.
///
/// 0.5 s · 2^n up to a limit, 20 % more or less, so that clients that failed together do not come
/// back together.
package enum BackOff {
  private static let first = Duration.milliseconds(500)
  /// For a server in trouble.
  package static let limit = Duration.seconds(60)
  /// For a server that refuses for a reason that may pass, such as a wrong setting.
  package static let limitOfRefusals = Duration.seconds(900)

  /// The wait after a failure.
  ///
  /// - Parameters:
  ///   - failures: How many came before it in a row.
  ///   - random: A random number.
  ///   - limit: The longest wait, without the jitter.
  /// - Returns: 0.4 s to 72 s; with another limit up to a fifth more than that.
  package static func wait(
    after failures: Int64, random: UInt8, limit: Duration = BackOff.limit
  ) -> Duration {
    let doublings = max(0, min(failures, 11))
    let base = min(first * Int(1 << doublings), limit)
    return base / 5 * 4 + base * 2 / 5 * Int(random) / 255
  }

  /// The wait of those who have failed often.
  package static func longest(random: UInt8) -> Duration { wait(after: .max, random: random) }

  /// The wait that a server asked for is the least.
  package static func wait(
    after failures: Int64, random: UInt8, demanded: Duration?, limit: Duration = BackOff.limit
  ) -> Duration {
    max(wait(after: failures, random: random, limit: limit), demanded ?? .zero)
  }
}
