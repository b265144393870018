import GatebookEvents
import Testing

@Suite struct TimestampTests {
  private func at(_ microseconds: Int64) -> Timestamp { Timestamp(rawValue: microseconds) }

  @Test func `durations move a moment by whole microseconds`() {
    #expect(at(10) + .microseconds(5) == at(15))
    #expect(at(10) - .microseconds(15) == at(-5))
    #expect(at(0) + .nanoseconds(1999) == at(1))
    #expect(at(0) + .nanoseconds(-1999) == at(-1))
    #expect(at(3) - at(10) == .microseconds(-7))
    #expect(at(1) < at(2))
    #expect(!(at(2) < at(2)))
  }

  @Test func `beyond the ends is the end`() {
    #expect(at(.max) + .microseconds(1) == at(.max))
    #expect(at(1) + .microseconds(Int64.max) == at(.max))
    #expect(at(.min) - .microseconds(1) == at(.min))
    #expect(at(.min) + .microseconds(Int64.min) == at(.min))
    #expect(at(0) - .microseconds(Int64.min) == at(.max))
    #expect(at(.max) - at(.min) > .microseconds(Int64.max))
    #expect(at(.min) - at(.max) < .microseconds(Int64.min))
  }

  @Test(
    arguments: [
      (.zero, 0), (.seconds(1), 1_000_000), (.milliseconds(-1500), -1_500_000),
      (.nanoseconds(999), 0), (.nanoseconds(-999), 0), (.microseconds(Int64.max), .max),
      (.microseconds(Int64.min), .min), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
      (.microseconds(Int64.max) + .microseconds(1), .max),
      (.microseconds(Int64.min) - .microseconds(1), .min),
    ] as [(Duration, Int64)])
  func `a duration in microseconds is cut towards zero and at the ends`(
    duration: Duration, microseconds: Int64
  ) {
    #expect(duration.microseconds == microseconds)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
      (1_763_706_554_000_001, "2025-11-21T06:29:14.000001Z"),
      (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
      (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
      (253_402_300_800_000_000, "10000-01-01T00:00:00.000000Z"),
      (.max, "294247-01-10T04:00:54.775807Z"),
    ] as [(Int64, String)])
  func `a moment prints as RFC 3339 does, in UTC`(_ microseconds: Int64, _ text: String) {
    #expect(at(microseconds).description == text)
    #expect("\(at(microseconds))" == text)
  }

  @Test func `a moment is RFC 3339 wherever it is printed`() {
    let text = "1970-01-01T00:00:00.000001Z"
    #expect("\(at(1))" == text)
    #expect(String(reflecting: at(1)) == text)
    #expect("\([at(1)])" == "[\(text)]")
    #expect("\(SessionState.offline(lastVerified: at(1)))" == "offline(lastVerified: \(text))")
    #expect("\(at(1) as Timestamp?, default: "never")" == text)
  }
}
