import Gatebook
import Testing

@Suite struct InstallationIDTests {
  @Test func `a new installation has all the bytes of its source, and is read back`() {
    let random = SystemRandom()
    let made = InstallationID(random: random)
    #expect(InstallationID(made.description) == made)
    #expect(InstallationID(random: random) != made)
    #expect(
      InstallationID(random: CountingRandom()).description == "000102030405060708090a0b0c0d0e0f")
  }

  private struct CountingRandom: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0) } }
  }
}
