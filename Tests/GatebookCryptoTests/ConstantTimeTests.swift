internal import GatebookCrypto
internal import Testing

struct ConstantTimeTests {
  @Test(arguments: [0, 1, 16, 32, 1_000])
  func `the same bytes are equal`(_ count: Int) {
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    #expect(ConstantTime.equal(value, Array(value.reversed().reversed())))
  }

  @Test
  func `one flipped bit anywhere differs`() {
    let value = [UInt8](1...40)
    for flipped in flips(of: value) { #expect(!ConstantTime.equal(value, flipped)) }
  }

  @Test
  func `a beginning is not the whole`() {
    let value = [UInt8](1...40)
    for count in 0..<value.count {
      #expect(!ConstantTime.equal(value, Array(value.prefix(count))))
      #expect(!ConstantTime.equal(Array(value.prefix(count)), value))
    }
  }
}
