internal import Gatebook
internal import Glibc

/// Times as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
enum DateField {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The moment, cut to whole seconds.
  static func text(_ moment: Timestamp) -> String {
    let (seconds, rest) = moment.rawValue.quotientAndRemainder(dividingBy: 1_000_000)
    var time = time_t(rest < 0 ? seconds - 1 : seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    let day = "\(days[Int(parts.tm_wday)]), \(padded(parts.tm_mday))"
    let date = "\(day) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
    return "\(date) \(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec)) GMT"
  }

  private static func padded(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
