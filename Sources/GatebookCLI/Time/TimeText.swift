internal import Gatebook
internal import GatebookSystem

/// Writes moments and durations for programs and for people.
struct TimeText: Sendable {
  private let zone: TimeZoneRule
  private let suffix: String
  private var clock: (any BookClock)?
  /// What ages count from where that is not now.
  private var origin: Timestamp?

  /// Makes a writer of times for people.
  ///
  /// - Parameters:
  ///   - zone: The reader's zone.
  ///   - isUTC: Whether times are in UTC all the same; they then end in `Z`.
  ///   - clock: What `aged` counts from; `nil` leaves ages out.
  init(zone: TimeZoneRule, isUTC: Bool, clock: (any BookClock)? = nil) {
    self.zone = isUTC ? .utc : zone
    self.clock = clock
    suffix = isUTC ? "Z" : ""
  }

  /// `2025-11-21 06:29:14`, in the reader's zone; in an hour that comes twice, with its offset.
  func text(_ moment: Timestamp) -> String {
    let seconds = moment.seconds
    let offset = zone.offset(seconds)
    let civil = CivilTime(seconds: seconds + offset)
    let mark = comesTwice(seconds, offset) ? Self.offsetText(offset) : suffix
    return "\(civil.dateText) \(civil.clockText)\(mark)"
  }

  /// Whether another moment has the same time of the same day, as in the night when clocks go back.
  private func comesTwice(_ seconds: Int64, _ offset: Int64) -> Bool {
    let local = seconds + offset
    return [seconds - 10_800, seconds + 10_800].map(zone.offset).contains { other in
      other != offset && zone.offset(local - other) == other
    }
  }

  /// `+02:00`.
  static func offsetText(_ offset: Int64) -> String {
    let minutes = abs(offset) / 60
    return "\(offset < 0 ? "-" : "+")\(CivilTime.digits(minutes / 60, 2)):"
      + CivilTime.digits(minutes % 60, 2)
  }

  /// The same writer for ages that count from a moment of the past: `(2 h 5 min before)`.
  func counting(from origin: Timestamp) -> TimeText {
    var times = self
    times.origin = origin
    return times
  }

  /// The same writer without ages.
  var withoutAges: TimeText {
    var times = self
    times.clock = nil
    return times
  }

  /// The same writer for times of other machines: their boot clocks are not this machine's.
  var ofOtherMachines: TimeText {
    var times = self
    times.clock = clock.map { WallClock(clock: $0) }
    return times
  }

  /// The time with its distance from now: `2025-11-21 06:29:14 (2 h 5 min ago)`.
  func aged(_ moment: Timestamp) -> String {
    guard let clock else { return text(moment) }
    let age = (origin ?? clock.now().wall) - moment
    let length = (age < .zero ? .zero - age : age).units
    let distance =
      switch (age, origin) {
      case (.seconds(1)..., nil): "\(length) ago"
      case (.seconds(1)..., _): "\(length) before"
      case (...(.seconds(-1)), nil): "in \(length)"
      case (...(.seconds(-1)), _): "\(length) after"
      default: origin == nil ? "just now" : "just then"
      }
    return "\(text(moment)) (\(distance))"
  }

  /// A time that has passed, with its distance from now; where a clock was set back since, it says
  /// so instead of a negative age.
  func agedPast(_ moment: Timestamp) -> String {
    guard let clock, origin == nil, moment - clock.now().wall >= .seconds(1) else {
      return aged(moment)
    }
    return "\(text(moment)) (this machine's clock was set back afterwards)"
  }

  /// When what an account has ends: by the clock that counts its life, not by a wall clock that has
  /// jumped.
  func expiry(of context: SessionContext) -> String? {
    guard let expiry = context.expiresAt else { return nil }
    guard origin == nil, let now = clock?.now(), let left = context.remainingLife(at: now) else {
      return aged(expiry)
    }
    let end = now.wall + left
    // Less is rounding, and the time between two looks at two clocks.
    return aged(LifeClock.isNoticeable(end - expiry) ? end : expiry)
  }

  /// How long what an account has is still valid, by the clock that counts its life; `nil` where
  /// that is not known, or over.
  func left(of context: SessionContext) -> Duration? {
    clock.flatMap { context.remainingLife(at: $0.now()) }.flatMap { $0 > .zero ? $0 : nil }
  }

  /// Whether what an account has is over, so that its next use renews it first.
  func isRenewalDue(of context: SessionContext) -> Bool {
    guard context.state.isUsable, context.renewsItself, origin == nil, let now = clock?.now(),
      let left = context.remainingLife(at: now)
    else { return false }
    return left <= .zero
  }

  /// A duration as people say it, in its two largest units: `2 days 3 hours`, `10 minutes`.
  static func spoken(_ duration: Duration) -> String {
    let words = ["d": "day", "h": "hour", "min": "minute", "s": "second", "ms": "millisecond"]
    return Pattern("([0-9]+) ([a-z]+)").replace(in: duration.units) { match in
      "\(match[1] ?? "") \(words[String(match[2] ?? "")] ?? "")\(match[1] == "1" ? "" : "s")"
    }
  }

  /// RFC 3339 section 5.6 in UTC with microseconds: `2025-11-21T06:29:14.000001Z`.
  static func machine(_ moment: Timestamp) -> String { moment.description }
}
