/// At most so many requests in each second, and as many at once: a bucket that fills steadily.
package struct RateLimit: Sendable {
  private let perSecond: Int
  private var left: Double
  private var last: Duration?

  /// Makes a full bucket.
  ///
  /// - Parameter perSecond: At least 1.
  package init(perSecond: Int) {
    self.perSecond = perSecond
    left = Double(perSecond)
  }

  /// Takes one request, if there is room.
  ///
  /// - Parameter now: The time on a clock that never jumps.
  /// - Returns: Whether there was room.
  package mutating func takes(at now: Duration) -> Bool {
    if let last {
      let (seconds, attoseconds) = (now - last).components
      let passed = max(0, Double(seconds) + Double(attoseconds) / 1e18)
      left = min(Double(perSecond), left + passed * Double(perSecond))
    }
    last = now
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
