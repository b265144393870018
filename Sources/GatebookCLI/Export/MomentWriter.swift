internal import Gatebook

/// Writes moments as RFC 3339 does, in UTC with microseconds; those of one second share their text.
struct MomentWriter {
  private var second = Int64.min
  /// The moment before: `2025-11-21T06:29:14.000001Z`.
  private var text: [UInt8] = []

  /// Adds `2025-11-21T06:29:14.000001Z`.
  mutating func append(_ moment: Timestamp, to bytes: inout [UInt8]) {
    let seconds = moment.seconds
    if seconds != second || text.isEmpty {
      second = seconds
      text = Array(TimeText.machine(moment).utf8)
    }
    var rest = moment.microseconds
    // The last digit stands before the `Z`.
    for place in (text.count - 7..<text.count - 1).reversed() {
      text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    bytes += text
  }
}
