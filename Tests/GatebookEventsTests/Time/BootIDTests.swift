import GatebookEvents
import Testing

@Suite struct BootIDTests {
  @Test func `it is written as 16 digits and read back`() {
    let id = BootID(rawValue: 0x0123_4567_89AB_CDEF)
    #expect(id.description == "0123456789abcdef")
    #expect(BootID(id.description) == id)
    #expect(BootID(rawValue: 1).description == "0000000000000001")
  }

  @Test(arguments: ["", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeg"])
  func `nothing else is one`(_ text: String) {
    #expect(BootID(text) == nil)
  }
}
