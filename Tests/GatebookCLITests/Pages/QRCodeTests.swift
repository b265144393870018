internal import Testing

@testable internal import GatebookCLI

struct QRCodeTests {
  @Test(arguments: [
    "https://a.example/", "https://login.example.org/device?user_code=WDJB-MJHT",
    "https://a.example/" + String(repeating: "x", count: 300),
  ])
  func `what is drawn is read again, on white and on black`(_ text: String) throws {
    let code = try #require(QRCode(text))
    let colored = code.lines(hasColor: true)
    #expect(try QRReader.text(of: colored.joined(separator: "\n")) == text)
    let plain = code.lines(hasColor: false)
    #expect(plain.allSatisfy { $0.count == code.columns })
    #expect(try QRReader.text(ofRows: plain, isInverse: true) == text)
  }

  @Test func `without the library, and for too long a text, there is none`() {
    #expect(QRCode("https://a.example/", library: "libnowhere.so.4") == nil)
    #expect(QRCode(String(repeating: "x", count: 3000)) == nil)
  }
}
