import Testing

@testable import Gatebook

/// Durations are measured by clocks, and told to people.
struct DurationWordsTests {
  private static let table: [(Duration, String)] = [
    (Duration.zero, "less than a second"),
    (.milliseconds(400), "less than a second"),
    (.milliseconds(1_600), "2 s"),
    (.seconds(125), "2 min 5 s"),
    (.milliseconds(119_999), "2 min"),
    (.seconds(599), "9 min 59 s"),
    (.milliseconds(900_400), "15 min"),
    (.milliseconds(3_599_300), "1 h"),
    (.microseconds(3_599_999_999), "1 h"),
    (.seconds(7180), "2 h"),
    (.seconds(7260), "2 h 1 min"),
    (.microseconds(259_199_999_999), "3 d"),
    (.seconds(190_900), "2 d 5 h"),
    (.seconds(86_459), "1 d"),
    (.microseconds(Int64.max), "106751991 d 4 h"),
    (.microseconds(Int64.min), "less than a second"),
  ]

  @Test(arguments: table) func `a duration is printed in its two largest units`(
    _ duration: Duration, _ words: String
  ) {
    #expect(duration.words == words)
  }
}
