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
}
