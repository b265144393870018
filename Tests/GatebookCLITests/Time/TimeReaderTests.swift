internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

struct TimeReaderTests {
  /// An hour ahead of UTC, two from 2025-03-30T01:00Z to 2025-10-26T01:00Z, as in central Europe.
  private static let zone = TimeZoneRule { seconds in
    (1_743_296_400..<1_761_440_400).contains(seconds) ? 7_200 : 3_600
  }

  /// 2025-11-21T06:29:14.5Z, which is 07:29:14.5 in the zone.
  private let reader = TimeReader(now: FixedClock().now().wall, zone: TimeReaderTests.zone)

  @Test(arguments: [
    ("now", "2025-11-21T06:29:14.500000Z"),
    ("2h ago", "2025-11-21T04:29:14.500000Z"),
    ("2 hours ago", "2025-11-21T04:29:14.500000Z"),
    ("1d 90min ago", "2025-11-20T04:59:14.500000Z"),
    ("1 week ago", "2025-11-14T06:29:14.500000Z"),
    ("30 SECONDS AGO", "2025-11-21T06:28:44.500000Z"),
    ("today", "2025-11-20T23:00:00.000000Z"),
    ("today 9:15", "2025-11-21T08:15:00.000000Z"),
    ("yesterday 14:00", "2025-11-20T13:00:00.000000Z"),
    ("yesterday 2pm", "2025-11-20T13:00:00.000000Z"),
    ("yesterday 12am", "2025-11-19T23:00:00.000000Z"),
    ("tomorrow 12:30pm", "2025-11-22T11:30:00.000000Z"),
    ("14:00", "2025-11-21T13:00:00.000000Z"),
    ("2025-11-20", "2025-11-19T23:00:00.000000Z"),
    ("2025-07-01 14:00", "2025-07-01T12:00:00.000000Z"),
    ("2025-07-01T14:00:05", "2025-07-01T12:00:05.000000Z"),
    ("2025-07-01T14:00:05.25Z", "2025-07-01T14:00:05.250000Z"),
    ("2025-07-01T14:00:05,123456789z", "2025-07-01T14:00:05.123456Z"),
    ("2025-07-01t14:00+05:30", "2025-07-01T08:30:00.000000Z"),
    ("2025-07-01T14:00-0800", "2025-07-01T22:00:00.000000Z"),
    ("2025-07-01 14:00-08", "2025-07-01T22:00:00.000000Z"),
    ("2024-02-29", "2024-02-28T23:00:00.000000Z"),
    // The clock goes from 02:00 to 03:00: half past two never was, and lies behind the jump.
    ("2025-03-30 02:30", "2025-03-30T01:30:00.000000Z"),
    ("2025-03-30 03:00", "2025-03-30T01:00:00.000000Z"),
    // The clock goes from 03:00 back to 02:00: half past two was twice, the first is meant.
    ("2025-10-26 02:30", "2025-10-26T00:30:00.000000Z"),
    ("2025-10-26 03:00", "2025-10-26T02:00:00.000000Z"),
  ])
  func `times are read as people write them`(_ text: String, _ expected: String) throws {
    #expect(TimeText.machine(try reader.moment(text)) == expected)
  }

  @Test(arguments: [
    "", " ", "soon", "2025", "2025-02-30", "2025-13-01", "2025-00-10", "2025-11-20T", "25:00",
    "24:00", "14:60", "9", "14", "13pm", "0am", "2025-11-20T14:00:60", "2025-11-20 14:00 Z", "2h",
    "ago", "2 ago", "h ago", "2x ago", "-2h ago", "99999999999h ago", "2025-7-1", "2025-07-01T14",
    "yesterday at 14:00", "14:00+25:00", "14:00+1", "٢٠٢٥-١١-٢٠", "2025-11-20T14:00:05.Z", "+5",
  ])
  func `what is no time is refused with the forms there are`(_ text: String) {
    let error = #expect(throws: UsageError.self) { try reader.moment(text) }
    #expect(error?.remedy.contains("yesterday 14:00") == true)
  }

  @Test func `a day alone as an end is the next midnight`() throws {
    let end = try reader.moment("2025-11-20", edge: .end)
    #expect(TimeText.machine(end) == "2025-11-20T23:00:00.000000Z")
    let short = try reader.moment("2025-03-30", edge: .end)
    #expect(TimeText.machine(short) == "2025-03-30T22:00:00.000000Z")
  }

  @Test func `digits alone are a position`() throws {
    #expect(try reader.timeOrPosition("4182") == .position(Position(rawValue: 4182)))
    #expect(try reader.timeOrPosition("now") == .moment(FixedClock().now().wall))
    #expect(throws: UsageError.self) { try reader.timeOrPosition("-1") }
  }

  @Test func `every day of four centuries is taken apart and put together again`() throws {
    var expected = try #require(CivilTime(year: 1899, month: 12, day: 31)).seconds
    for year in Int64(1900)..<2300 {
      for month in Int64(1)...12 {
        for day in Int64(1)...31 {
          guard let civil = CivilTime(year: year, month: month, day: day) else { continue }
          expected += 86_400
          guard civil.seconds == expected, CivilTime(seconds: expected) == civil else {
            Issue.record("\(civil.dateText)")
            return
          }
        }
      }
    }
  }
}
