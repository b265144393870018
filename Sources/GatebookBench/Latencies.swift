internal import GatebookEvents

/// Durations of single calls, and what is said about them.
struct Latencies {
  private var durations: [Duration] = []

  mutating func add(_ duration: Duration) {
    durations.append(duration)
  }

  mutating func add(_ others: Latencies) {
    durations += others.durations
  }

  /// `p50us=… p99us=…`, in microseconds.
  var summary: String {
    let sorted = durations.sorted()
    guard !sorted.isEmpty else { return "" }
    func at(_ share: Double) -> Double {
      let tenths = sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] * 10
      return Double(tenths.microseconds) / 10
    }
    return "p50us=\(at(0.5)) p99us=\(at(0.99))"
  }

  /// `rate=…`, things a second.
  static func rate(_ count: Int, in duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return "rate=\(Int(Double(count) / (Double(seconds) + Double(attoseconds) / 1e18)))"
  }
}
