internal import Gatebook
internal import GatebookSystem

/// A time of day as people write it.
struct TimeOfDay {
  /// Seconds since midnight; 86400 for the end of the day, `24:00`.
  let second: Int64
  /// The part below a second.
  let microsecond: Int64

  /// Reads `9:15`, `14:00:05.25`, `24:00`, `2pm`, `2:30pm`, `noon`, all in lower case.
  init?(_ text: String) {
    let text = ["noon": "12:00", "midnight": "0:00"][text] ?? text
    let form = Pattern(
      "^([0-9]{1,2})(:([0-9]{2})(:([0-9]{2})([.,]([0-9]{1,9}))?)?)?(am|pm)?$")
    guard let match = form.match(in: text), var hour = match[1].flatMap({ Int64($0) }) else {
      return nil
    }
    let minute = match[3].flatMap { Int64($0) }
    let second = match[5].flatMap { Int64($0) } ?? 0
    microsecond = Self.microseconds(match[7])
    if let half = match[8] {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half == "pm" ? 12 : 0)
    } else if minute == nil {
      return nil
    }
    self.second = hour * 3_600 + (minute ?? 0) * 60 + second
    guard minute ?? 0 < 60, second < 60,
      hour < 24 || (self.second == 86_400 && microsecond == 0)
    else { return nil }
  }

  /// Digits below a second, cut to microseconds; 0 when there are none.
  static func microseconds(_ digits: Substring?) -> Int64 {
    Int64("\(digits ?? "")000000".prefix(6)) ?? 0
  }
}

/// Says how far local time is ahead of UTC at a moment, and so turns one into the other.
struct TimeZoneRule: Sendable {
  /// Seconds east of UTC at a moment given in seconds since 1970 UTC.
  let offset: @Sendable (_ utc: Int64) -> Int64

  /// UTC itself.
  static let utc = TimeZoneRule { _ in 0 }

  /// The zone of the environment (`TZ`, else `/etc/localtime`).
  static let local = TimeZoneRule { seconds in
    SystemTime.zoneOffset(at: seconds) ?? 0
  }

  /// The moment that a clock on the wall shows, in seconds since 1970 UTC.
  ///
  /// Of a time that a clock shows twice, the first; a time that a clock never shows counts from the
  /// offset before the jump, so it is after it.
  ///
  /// - Parameter wall: What the clock shows, as if it were UTC, in seconds since 1970.
  /// - Returns: Seconds since 1970 UTC.
  func moment(showing wall: Int64) -> Int64 {
    // One of the offsets a day before and a day after is right: no zone jumps twice in two days.
    let before = wall - offset(wall - 86_400)
    let after = wall - offset(wall + 86_400)
    if before + offset(before) == wall { return before }
    if after + offset(after) == wall { return after }
    return before
  }
}

/// How far a zone is ahead of UTC, as people write it after a time.
enum ZoneOffset {
  /// Reads `z`, `utc`, `gmt`, `+01:00`, `-0530`, `+01`, `gmt+0100`, in lower case.
  ///
  /// Of zones by letters only these are one zone for everybody.
  ///
  /// - Parameter text: The text after the time, or a word of its own.
  /// - Returns: Seconds east of UTC; `nil` for anything else.
  static func seconds(_ text: Substring) -> Int64? {
    if ["z", "utc", "gmt"].contains(text) { return 0 }
    let form = Pattern("^(utc|gmt)?([+-])([0-9]{2})(:?([0-9]{2}))?$")
    guard let match = form.match(in: text),
      let hours = match[3].flatMap({ Int64($0) }), hours < 24,
      let minutes = Int64(match[5] ?? "0"), minutes < 60
    else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return match[2] == "-" ? -seconds : seconds
  }
}
