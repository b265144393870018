internal import Testing

@testable internal import Gatebook
@testable internal import GatebookCLI

struct FindingRenderingTests {
  private static let start = Timestamp(rawValue: 1_763_706_554_100_000)

  @Test(arguments: [
    (Duration.zero, "Event 3, at 2025-11-21 06:29:14Z."),
    (.milliseconds(800), "Event 3, at 2025-11-21 06:29:14Z."),
    (.seconds(1), "Event 3, 2025-11-21 06:29:14Z to 2025-11-21 06:29:15Z."),
  ])
  @MainActor func `moments of one second are one to people`(
    _ length: Duration, _ expected: String
  ) {
    let finding = Finding(
      rule: .clockJump, severity: .note, title: "The clock jumped.",
      positions: [Position(rawValue: 3)], count: 1, account: nil, first: Self.start,
      last: Self.start + length, remedy: FindingRule.clockJump.remedy)
    let output = Output(results: MemorySink(), messages: MemorySink(), isJSON: false)
    let lines = FindingRendering.lines(finding, names: AccountNames([]), output)
    #expect(lines.contains { $0.hasSuffix(expected) }, "\(lines)")
  }
}
