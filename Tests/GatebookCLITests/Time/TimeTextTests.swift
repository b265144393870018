internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

struct TimeTextTests {
  private let moment = FixedClock().now().wall

  @Test func `people read their own time, or UTC marked as such`() {
    let zone = TimeZoneRule { _ in -5 * 3_600 }
    #expect(TimeText(zone: zone, isUTC: false).text(moment) == "2025-11-21 01:29:14")
    #expect(TimeText(zone: zone, isUTC: true).text(moment) == "2025-11-21 06:29:14Z")
  }

  @Test func `in the hour that comes twice a time says which it is`() {
    // Berlin's clocks go back on 25 October 2026 at 01:00 UTC.
    let change: Int64 = 1_792_890_000
    let times = TimeText(zone: TimeZoneRule { $0 < change ? 7_200 : 3_600 }, isUTC: false)
    func text(_ seconds: Int64) -> String {
      times.text(Timestamp(rawValue: (change + seconds) * 1_000_000))
    }
    #expect(text(-3_601) == "2026-10-25 01:59:59")
    #expect(text(-1_800) == "2026-10-25 02:30:00+02:00")
    #expect(text(1_800) == "2026-10-25 02:30:00+01:00")
    #expect(text(3_600) == "2026-10-25 03:00:00")
  }

  @Test func `a time is printed with its distance from now`() {
    let times = TimeText(zone: .utc, isUTC: true, clock: FixedClock())
    #expect(times.aged(moment - .seconds(7_500)) == "2025-11-21 04:24:14Z (2 h 5 min ago)")
    #expect(times.aged(moment + .seconds(90)) == "2025-11-21 06:30:44Z (in 1 min 30 s)")
  }

  @Test(arguments: [
    (Duration.zero, "0 ms"), (.milliseconds(999), "999 ms"), (.seconds(1), "1 s"),
    (.seconds(61), "1 min 1 s"), (.seconds(3_600), "1 h"), (.seconds(3_661), "1 h 1 min"),
    (.seconds(86_400 + 59), "1 d"), (.seconds(2 * 86_400 + 3 * 3_600), "2 d 3 h"),
    (.seconds(-90), "-1 min 30 s"),
  ])
  func `durations are given in their two largest units`(_ duration: Duration, _ text: String) {
    #expect(duration.units == text)
  }
}
