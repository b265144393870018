import GatebookEvents
import Testing

@Suite struct IdentityTests {
  private static let text = "00112233445566778899aabbccddeeff"

  @Test func `text, bytes and halves are three forms of one identity`() throws {
    let account = try #require(AccountID(Self.text))
    #expect(account.high == 0x0011_2233_4455_6677)
    #expect(account.low == 0x8899_AABB_CCDD_EEFF)
    #expect(account.bytes == Hex.decode(Self.text))
    #expect(account.description == Self.text)
    #expect(AccountID(bytes: account.bytes) == account)
    #expect(AccountID(Self.text.uppercased()) == account)
  }

  @Test(
    arguments: [
      "", "0", String(repeating: "0", count: 31), String(repeating: "0", count: 33),
      String(repeating: "g", count: 32), "00112233-4455-6677-8899-aabbccddeef",
      String(repeating: "é", count: 16),
    ])
  func `other text is no identity`(text: String) {
    #expect(AccountID(text) == nil)
    #expect(SessionID(text) == nil)
    #expect(EventID(text) == nil)
    #expect(BookID(text) == nil)
    #expect(InstallationID(text) == nil)
  }

  @Test(arguments: [0, 1, 15, 17, 32])
  func `another number of bytes is no identity`(count: Int) {
    #expect(EventID(bytes: [UInt8](repeating: 7, count: count)) == nil)
  }

  @Test func `identities are in the order of their bytes`() {
    let ordered = [
      EventID(high: 0, low: 0), EventID(high: 0, low: .max), EventID(high: 1, low: 0),
      EventID(high: 1 << 63, low: 0), EventID(high: .max, low: .max),
    ]
    #expect(ordered.shuffled().sorted() == ordered)
    #expect(ordered.map(\.description).sorted() == ordered.map(\.description))
  }

  @Test func `positions count from the start`() {
    #expect(Position.start < Position(rawValue: 1))
    #expect(Position(rawValue: 10).description == "10")
    #expect(!(Position(rawValue: 2) < Position(rawValue: 2)))
  }
}
