internal import GatebookAuthentication
internal import Testing

struct BackOffTests {
  @Test(
    arguments: [
      (0, 500), (1, 1000), (2, 2000), (6, 32_000), (7, 60_000), (8, 60_000), (.max, 60_000),
      (-1, 500),
    ] as [(Int64, Int64)])
  func `the wait doubles up to a minute, a fifth more or less`(failures: Int64, middle: Int64) {
    let low = BackOff.wait(after: failures, random: 0)
    let high = BackOff.wait(after: failures, random: 255)
    #expect(low == .milliseconds(middle * 4 / 5))
    #expect(high == .milliseconds(middle * 6 / 5))
    let some = BackOff.wait(after: failures, random: 100)
    #expect(low < some && some < high)
  }
}
