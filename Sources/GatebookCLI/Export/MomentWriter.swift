internal import Gatebook

/// Writes moments as RFC 3339 does, in UTC with microseconds; those of one second share their text.
struct MomentWriter {
  private var second = Int64.min
  private var text: [UInt8] = []

  /// Adds `2025-11-21T06:29:14.000001Z`.
  mutating func append(_ moment: Timestamp, to bytes: inout [UInt8]) {
    let seconds = TimeText.seconds(of: moment)
    if seconds != second || text.isEmpty {
      second = seconds
      // Up to the point behind the seconds.
      text = Array(TimeText.machine(moment).utf8.dropLast(7))
    }
    bytes.append(contentsOf: text)
    var rest = TimeText.microseconds(of: moment)
    var divisor: Int64 = 100_000
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(rest / divisor))
      rest %= divisor
      divisor /= 10
    }
    bytes.append(UInt8(ascii: "Z"))
  }
}
