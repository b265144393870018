internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

/// `ZoneSpans`.
struct ZoneSpansTests {
  /// An hour more from one second on.
  private static let summer = TimeZoneRule { $0 >= 1_774_746_000 ? 7200 : 3600 }

  private func spans(_ start: Int64, _ end: Int64) -> JSON {
    ZoneSpans(
      zone: Self.summer, start: Timestamp(rawValue: start * 1_000_000),
      end: Timestamp(rawValue: end * 1_000_000)
    ).json
  }

  @Test func `a change of the clock is found to the second`() {
    let before: JSON = .list([.integer(1_767_600_000_000), .integer(3_600_000)])
    let after: JSON = .list([.integer(1_774_746_000_000), .integer(7_200_000)])
    #expect(spans(1_767_600_000, 1_780_000_000) == .list([before, after]))
    #expect(spans(1_767_600_000, 1_767_600_000) == .list([before]))
  }

  @Test func `ten thousand years are no more work than a hundred`() {
    guard case .list(let spans) = spans(-62_135_596_800, 253_402_300_799) else {
      Issue.record("no list")
      return
    }
    #expect(spans.count == 2)
  }
}
