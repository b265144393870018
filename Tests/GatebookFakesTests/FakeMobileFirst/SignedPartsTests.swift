import Testing

@testable import GatebookFakes

@Suite struct SignedPartsTests {
  @Test(arguments: [
    ("", ""), ("Zg", "f"), ("Zg==", "f"), ("Zm8", "fo"), ("Zm9v", "foo"), ("fn5-", "~~~"),
    ("fn5_", "~~\u{7F}"), ("fn5+", "~~~"), ("fn5/fg==", "~~\u{7F}~"),
  ])
  func `base64url is read with and without padding`(_ text: String, _ plain: String) {
    #expect(Base64Text.decodeURL(text) == Array(plain.utf8))
  }

  @Test(arguments: ["Z", "Zg=", "Zg===", "Zm9*", "fn5/fg", "fn5/fn5-", "=", "Zg==Zg=="])
  func `what is not base64url is not read`(_ text: String) {
    #expect(Base64Text.decodeURL(text) == nil)
  }

  @Test(arguments: ["", ".", "..", "e30.e30", "e30.e30.AA.AA", "W10.e30.AA", "e30.W10.AA"])
  func `what is not a JWS is not read`(_ text: String) {
    #expect(SignedParts(compact: text) == nil)
  }

  @Test func `parts are read`() throws {
    let parts = try #require(SignedParts(compact: "eyJhIjoxfQ.eyJiIjoyfQ==.AA"))
    #expect(parts.header["a"] == .integer(1))
    #expect(parts.payload["b"] == .integer(2))
  }
}
