import GatebookEvents
import Testing

@Suite struct HexTests {
  @Test func `every byte has two lower-case digits`() {
    let bytes = Array(UInt8.min...UInt8.max)
    let text = Hex.encode(bytes)
    #expect(text.hasPrefix("000102030405060708090a0b0c0d0e0f10"))
    #expect(text.hasSuffix("fafbfcfdfeff"))
    #expect(Hex.decode(text) == bytes)
  }

  @Test func `digits of either case are read`() {
    #expect(Hex.decode("aAfFbE") == [0xAA, 0xFF, 0xBE])
    #expect(Hex.decode("") == [])
  }

  @Test(arguments: ["0", "000", "0g", "g0", " 00", "0x00", "//", "::", "@@", "``", "GG", "é"])
  func `anything else is refused`(text: String) {
    #expect(Hex.decode(text) == nil)
  }
}
