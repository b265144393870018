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
    ("2h", "2025-11-21T04:29:14.500000Z"),
    ("30m", "2025-11-21T05:59:14.500000Z"),
    ("90 min", "2025-11-21T04:59:14.500000Z"),
    ("an hour ago", "2025-11-21T05:29:14.500000Z"),
    ("last week", "2025-11-14T06:29:14.500000Z"),
    ("last month", "2025-10-21T05:29:14.500000Z"),
    ("last year", "2024-11-21T06:29:14.500000Z"),
    ("2 months ago", "2025-09-21T05:29:14.500000Z"),
    ("1y", "2024-11-21T06:29:14.500000Z"),
    ("1 month 1 hour ago", "2025-10-21T04:29:14.500000Z"),
    // A day of the calendar, though it had 25 hours.
    ("27 days ago", "2025-10-25T05:29:14.500000Z"),
    ("noon", "2025-11-20T11:00:00.000000Z"),
    ("midnight", "2025-11-20T23:00:00.000000Z"),
    ("today noon", "2025-11-21T11:00:00.000000Z"),
    ("yesterday midnight", "2025-11-19T23:00:00.000000Z"),
    ("7:29", "2025-11-21T06:29:00.000000Z"),
    ("7:30", "2025-11-20T06:30:00.000000Z"),
    ("yesterday at 14:00", "2025-11-20T13:00:00.000000Z"),
    ("14:00 yesterday", "2025-11-20T13:00:00.000000Z"),
    // Today is a Friday.
    ("friday", "2025-11-20T23:00:00.000000Z"),
    ("friday 6am", "2025-11-21T05:00:00.000000Z"),
    ("friday 14:00", "2025-11-14T13:00:00.000000Z"),
    ("last friday", "2025-11-13T23:00:00.000000Z"),
    ("last friday 6am", "2025-11-14T05:00:00.000000Z"),
    ("monday", "2025-11-16T23:00:00.000000Z"),
    ("last monday 14:00", "2025-11-17T13:00:00.000000Z"),
    ("Sat", "2025-11-14T23:00:00.000000Z"),
    ("thurs 9:00", "2025-11-20T08:00:00.000000Z"),
    ("20 nov", "2025-11-19T23:00:00.000000Z"),
    ("nov 20", "2025-11-19T23:00:00.000000Z"),
    ("20. November 2024", "2024-11-19T23:00:00.000000Z"),
    ("21 nov 6:00", "2025-11-21T05:00:00.000000Z"),
    ("21 nov 8:00", "2024-11-21T07:00:00.000000Z"),
    ("22 nov", "2024-11-21T23:00:00.000000Z"),
    ("24 dec 2025 18:00", "2025-12-24T17:00:00.000000Z"),
    ("29 feb", "2024-02-28T23:00:00.000000Z"),
    ("5 may", "2025-05-04T22:00:00.000000Z"),
    ("today", "2025-11-20T23:00:00.000000Z"),
    ("today 9:15", "2025-11-21T08:15:00.000000Z"),
    ("yesterday 14:00", "2025-11-20T13:00:00.000000Z"),
    ("yesterday 2pm", "2025-11-20T13:00:00.000000Z"),
    ("yesterday 12am", "2025-11-19T23:00:00.000000Z"),
    ("tomorrow 12:30pm", "2025-11-22T11:30:00.000000Z"),
    ("14:00", "2025-11-20T13:00:00.000000Z"),
    ("2025-11-20", "2025-11-19T23:00:00.000000Z"),
    ("2025-07-01 14:00", "2025-07-01T12:00:00.000000Z"),
    ("2025-07-01T14:00:05", "2025-07-01T12:00:05.000000Z"),
    ("2025-07-01T14:00:05.25Z", "2025-07-01T14:00:05.250000Z"),
    ("2025-07-01T14:00:05,123456789z", "2025-07-01T14:00:05.123456Z"),
    ("2025-07-01t14:00+05:30", "2025-07-01T08:30:00.000000Z"),
    ("2025-07-01T14:00-0800", "2025-07-01T22:00:00.000000Z"),
    ("2025-07-01 14:00-08", "2025-07-01T22:00:00.000000Z"),
    ("2024-02-29", "2024-02-28T23:00:00.000000Z"),
    // The clock goes from 02:00 to 03:00: 02:30 does not exist and counts as after the jump.
    ("2025-03-30 02:30", "2025-03-30T01:30:00.000000Z"),
    ("2025-03-30 03:00", "2025-03-30T01:00:00.000000Z"),
    // The clock goes from 03:00 back to 02:00: half past two was twice, the first is meant.
    ("2025-10-26 02:30", "2025-10-26T00:30:00.000000Z"),
    ("2025-10-26 03:00", "2025-10-26T02:00:00.000000Z"),
    // ISO 8601, basic form.
    ("20251120", "2025-11-19T23:00:00.000000Z"),
    ("20251120T140000Z", "2025-11-20T14:00:00.000000Z"),
    ("20251120T1400", "2025-11-20T13:00:00.000000Z"),
    ("20251120t140005.25+0530", "2025-11-20T08:30:05.250000Z"),
    ("20251120 14:00", "2025-11-20T13:00:00.000000Z"),
    ("2025-11", "2025-10-31T23:00:00.000000Z"),
    ("2025-11-20 24:00", "2025-11-20T23:00:00.000000Z"),
    ("2025/11/20 14:00", "2025-11-20T13:00:00.000000Z"),
    // Seconds since 1970.
    ("@1763647205", "2025-11-20T14:00:05.000000Z"),
    ("@1763647205.25", "2025-11-20T14:00:05.250000Z"),
    ("@0", "1970-01-01T00:00:00.000000Z"),
    // RFC 9110 section 5.6.7, RFC 5322, and what `date`, browsers and web servers write.
    ("Thu, 20 Nov 2025 14:00:05 GMT", "2025-11-20T14:00:05.000000Z"),
    ("Thu, 20 Nov 2025 14:00:05 +0100 (CET)", "2025-11-20T13:00:05.000000Z"),
    ("Thu Nov 20 14:00:05 UTC 2025", "2025-11-20T14:00:05.000000Z"),
    ("Thu Nov 20 02:00:05 PM UTC 2025", "2025-11-20T14:00:05.000000Z"),
    (
      "Thu Nov 20 2025 14:00:05 GMT+0100 (Central European Standard Time)",
      "2025-11-20T13:00:05.000000Z"
    ),
    ("20/Nov/2025:14:00:05 +0000", "2025-11-20T14:00:05.000000Z"),
    ("20-Nov-2025", "2025-11-19T23:00:00.000000Z"),
    ("Nov 20 14:00:05", "2025-11-20T13:00:05.000000Z"),
    ("2025-11-20 14:00:05 +0100", "2025-11-20T13:00:05.000000Z"),
    ("2025-11-20 14:00 UTC", "2025-11-20T14:00:00.000000Z"),
    ("2025-11-20 14:00 Z", "2025-11-20T14:00:00.000000Z"),
    ("2025-11-20 UTC", "2025-11-20T00:00:00.000000Z"),
    // There it is still the 20th.
    ("yesterday 23:00 -0800", "2025-11-20T07:00:00.000000Z"),
    ("Nov 20, 2025", "2025-11-19T23:00:00.000000Z"),
    ("November 20th, 2025, 2 pm", "2025-11-20T13:00:00.000000Z"),
    ("yesterday, 14:00", "2025-11-20T13:00:00.000000Z"),
    ("thu 20 nov", "2025-11-19T23:00:00.000000Z"),
    ("Thursday 2025-11-20", "2025-11-19T23:00:00.000000Z"),
    ("nov 2025", "2025-10-31T23:00:00.000000Z"),
    ("last hour", "2025-11-21T05:29:14.500000Z"),
    ("last 2 hours", "2025-11-21T04:29:14.500000Z"),
    ("the last 30 minutes", "2025-11-21T05:59:14.500000Z"),
    ("past 24h", "2025-11-20T06:29:14.500000Z"),
  ])
  func `times are read as people write them`(_ text: String, _ expected: String) throws {
    #expect(TimeText.machine(try reader.moment(text)) == expected)
  }

  @Test(arguments: [
    "", " ", "soon", "2025", "2025-02-30", "2025-13-01", "2025-00-10", "2025-11-20T", "25:00",
    "24:01", "14:60", "9", "14", "13pm", "0am", "2025-11-20T14:00:60", "2025-11-20 14:00Z Z",
    "ago", "2 ago", "h ago", "2x ago", "-2h ago", "99999999999h ago", "2025-7-1", "2025-07-01T14",
    "at", "yesterday at", "at 14:00", "last", "last day", "last 14:00", "week", "noon noon",
    "30 feb",
    "32 nov", "nov", "20 no", "20 nov 25", "last monday tuesday", "mo", "999999 years ago",
    "monday ago", "-1h", "14:00+25:00", "14:00+1", "٢٠٢٥-١١-٢٠", "2025-11-20T14:00:05.Z", "+5",
    "utc", "now utc", "2h ago utc", "140000", "202511", "2025-13", "2025-1", "nov 25th 26",
    "20251320",
    "last 2", "last a day", "last -2 hours", "this morning", "monday yesterday", "14:00 15:00", "@",
    "@-1",
    "@1e9", "20/13/2025", "20251120T14", "20251120T140", "2025-11-20 14:00 utc utc", "pm",
    "monday pm",
    "(utc)", ",", "2025-1120", "202511-20", "2025/11-20",
  ])
  func `what is no time is refused with the forms there are`(_ text: String) {
    let error = #expect(throws: UsageError.self) { try reader.moment(text) }
    #expect(error?.remedy.contains("yesterday 14:00") == true)
  }

  @Test(arguments: [
    ("02/03/2026", "year first"), ("25.11.2025", "year first"),
    ("2-3-26 14:00", "year first"), ("2025-02-30", "day does not exist"),
    ("2025-02-30T14:00Z", "day does not exist"), ("20250230", "day does not exist"),
    ("Tue, 20 Nov 2025 14:00:05 GMT", "That date is a Thursday."), ("fri 20 nov", "is a Thursday"),
    ("2025-11-20 14:00 CET", "zone names UTC and GMT"),
    ("Thu Nov 20 14:00:05 EST 2025", "zone names UTC and GMT"),
    ("@1763647205000", "seconds"), ("1763647205", "Write `@` before"),
  ])
  func `what could be two moments is not guessed`(_ text: String, _ reason: String) {
    let error = #expect(throws: UsageError.self) { try reader.moment(text) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(error?.remedy.contains("`@1763647205`") == true)
  }

  @Test func `a day alone as an end is the next midnight`() throws {
    let end = try reader.moment("2025-11-20", edge: .end)
    #expect(TimeText.machine(end) == "2025-11-20T23:00:00.000000Z")
    let short = try reader.moment("2025-03-30", edge: .end)
    #expect(TimeText.machine(short) == "2025-03-30T22:00:00.000000Z")
  }

  @Test(arguments: [
    ("14:00", "2025-11-21T13:00:00.000000Z"), ("noon", "2025-11-21T11:00:00.000000Z"),
    ("7:00", "2025-11-21T06:00:00.000000Z"), ("friday 14:00", "2025-11-21T13:00:00.000000Z"),
    ("monday", "2025-11-17T23:00:00.000000Z"), ("20 nov", "2025-11-20T23:00:00.000000Z"),
    ("2h", "2025-11-21T04:29:14.500000Z"), ("2025-11", "2025-11-30T23:00:00.000000Z"),
    ("dec 2024", "2024-12-31T23:00:00.000000Z"), ("2025-11-20 UTC", "2025-11-21T00:00:00.000000Z"),
    ("2025-11-20 24:00", "2025-11-20T23:00:00.000000Z"),
    ("@1763647205", "2025-11-20T14:00:05.000000Z"),
  ])
  func `an end may be still to come, and takes its whole day in`(
    _ text: String, _ expected: String
  ) throws {
    #expect(TimeText.machine(try reader.moment(text, edge: .end)) == expected)
  }

  @Test(arguments: [
    // From the end of a month: months are not equally long.
    ("2025-03-31T10:00:00Z", "last month", "2025-02-28T11:00:00.000000Z"),
    ("2024-03-31T10:00:00Z", "1 month ago", "2024-02-29T10:00:00.000000Z"),
    ("2025-05-31T10:00:00Z", "3 months ago", "2025-02-28T11:00:00.000000Z"),
    ("2024-02-29T10:00:00Z", "last year", "2023-02-28T10:00:00.000000Z"),
    ("2025-01-15T10:00:00Z", "2 months ago", "2024-11-15T10:00:00.000000Z"),
    // The day after the clock went from 02:00 to 03:00: half past two never was on the day before.
    ("2025-03-31T00:30:00Z", "1 day ago", "2025-03-30T01:30:00.000000Z"),
    ("2025-03-31T00:30:00Z", "24h ago", "2025-03-30T00:30:00.000000Z"),
    ("2025-03-30T12:00:00Z", "1 day ago", "2025-03-29T13:00:00.000000Z"),
    ("2025-03-30T12:00:00Z", "midnight", "2025-03-29T23:00:00.000000Z"),
    ("2025-03-31T08:00:00Z", "sunday noon", "2025-03-30T10:00:00.000000Z"),
    // The day after it went from 03:00 back to 02:00: half past two was twice, the first is meant.
    ("2025-10-27T01:30:00Z", "1 day ago", "2025-10-26T00:30:00.000000Z"),
    ("2025-10-27T08:00:00Z", "yesterday", "2025-10-25T22:00:00.000000Z"),
    ("2025-10-27T08:00:00Z", "last sunday 9:00", "2025-10-26T08:00:00.000000Z"),
    ("2025-01-01T08:00:00Z", "31 dec", "2024-12-30T23:00:00.000000Z"),
    ("2025-01-01T08:00:00Z", "last wednesday", "2024-12-24T23:00:00.000000Z"),
  ])
  func `distances go by the calendar, over jumps of the clock and ends of months`(
    _ now: String, _ text: String, _ expected: String
  ) throws {
    let moment = try reader.moment(now)
    let there = TimeReader(now: moment, zone: Self.zone)
    #expect(TimeText.machine(try there.moment(text)) == expected)
  }

  @Test func `digits alone are a position`() throws {
    #expect(try reader.timeOrPosition("4182") == .position(Position(rawValue: 4182)))
    #expect(try reader.timeOrPosition("now") == .moment(FixedClock().now().wall))
    // An event of that second is printed so, whatever its fraction.
    for (text, rest) in [
      ("2025-11-20T14:00:05Z", 999_999), ("2025-11-20 14:00:05+00:00", 999_999),
      ("2025-11-20T14:00:05.5Z", 0), ("2025-11-20T14:00Z", 0), ("@1763647205", 999_999),
      ("@1763647205.5", 0), ("20251120T140005Z", 999_999), ("20251120T1400", 0),
      ("Thu, 20 Nov 2025 14:00:05 GMT", 999_999),
    ] as [(String, Int64)] {
      #expect(
        try reader.timeOrPosition(text) == .moment(try reader.moment(text) + .microseconds(rest)))
    }
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
