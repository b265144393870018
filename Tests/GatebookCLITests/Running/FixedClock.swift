internal import Gatebook

/// Always the same moment.
struct FixedClock: BookClock {
  let moment: Moment

  /// 2025-11-21T06:29:14.5Z.
  init() {
    moment = Moment(wall: Timestamp(rawValue: 1_763_706_554_500_000), boot: .seconds(1_000))
  }

  func now() -> Moment { moment }
}
