internal import GatebookCrypto
internal import Testing

struct SystemRandomTests {
  @Test(arguments: [0, 1, 12, 32, 100_000])
  func `as many bytes come as were asked for`(_ count: Int) {
    #expect(SystemRandom().bytes(count).count == count)
  }

  @Test
  func `nonces do not repeat`() {
    let random: any RandomSource = SystemRandom()
    #expect(Set((0..<1_000).map { _ in random.bytes(12) }).count == 1_000)
  }

  @Test
  func `every value of a byte comes up`() {
    // A byte value is missing from 100,000 random ones with a chance below 10^-167.
    #expect(Set(SystemRandom().bytes(100_000)).count == 256)
  }
}
