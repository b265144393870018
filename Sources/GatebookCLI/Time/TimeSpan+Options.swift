internal import Gatebook

extension TimeSpan {
  /// Reads the moments that `--since` and `--until` name.
  ///
  /// A time of day that is still to come was yesterday, or a week ago: that is said.
  ///
  /// - Parameters:
  ///   - since: The option of the first moment.
  ///   - until: The option of the end.
  ///   - call: What was asked for.
  /// - Returns: The span.
  /// - Throws: `UsageError` for what is no time, and for an end that is not after the start.
  @MainActor static func read(
    _ since: CommandOption, _ until: CommandOption, _ call: Call
  ) throws(UsageError) -> TimeSpan {
    let reader = call.timeReader
    var (start, end): (Timestamp?, Timestamp?) = (nil, nil)
    if let text = call.arguments[since] { start = try reader.moment(text) }
    if let text = call.arguments[until] { end = try reader.moment(text, edge: .end) }
    let times = call.output.times.withoutAges
    if let start, let end, start >= end {
      throw UsageError(
        "No time is between \(times.text(start)), where `--since` begins, and \(times.text(end)), where "
          + "`--until` ends.",
        remedy: "Give an earlier `--since` or a later `--until`.")
    }
    if let text = call.arguments[since], let start, try reader.isStillToCome(text) {
      call.output.message(
        "`--since` is in the future: it is read as \(times.text(start)).")
    }
    return TimeSpan(start: start, end: end)
  }
}
