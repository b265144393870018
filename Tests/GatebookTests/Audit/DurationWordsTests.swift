import Testing

@testable import Gatebook

/// Durations are measured by clocks, and told to people.
struct DurationWordsTests {
  @Test(arguments: [
    (Duration.zero, "less than a second"),
    (.milliseconds(400), "less than a second"),
    (.milliseconds(1_600), "2 s"),
    (.seconds(125), "2 min 5 s"),
    (.milliseconds(119_999), "2 min"),
    (.seconds(3600) - .microseconds(1), "1 h"),
    (.seconds(7200) - .seconds(20), "2 h"),
    (.seconds(7260), "2 h 1 min"),
    (.seconds(3 * 86_400) - .microseconds(1), "3 d"),
    (.seconds(2 * 86_400 + 5 * 3600 + 100), "2 d 5 h"),
    (.seconds(86_400 + 59), "1 d"),
  ]) func `a duration is told in the nearest of its two greatest units`(
    _ duration: Duration, _ words: String
  ) {
    #expect(duration.words == words)
  }
}
