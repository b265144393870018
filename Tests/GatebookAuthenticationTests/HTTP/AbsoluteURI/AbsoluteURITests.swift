import Testing

@testable import GatebookAuthentication

@Suite struct AbsoluteURITests {
  @Test(arguments: [
    "http://127.0.0.1:8765/callback", "app://back/here", "app:", "urn:ietf:wg:oauth:2.0:oob",
    "com.example.app+beta-2:/back?a=b%20c",
  ])
  func `a scheme, a colon and what needs no encoding are a URI`(text: String) {
    #expect(AbsoluteURI.isValid(text))
  }

  @Test(arguments: [
    "", ":", "app", "/callback", "//host/callback", "://host", "1app://back", "-app:/back",
    "a_p:/back", "é:/back", "app:/b ck", "app:/b\u{7F}", "app:/back\n", "app:/bäck",
  ])
  func `anything else is none`(text: String) {
    #expect(!AbsoluteURI.isValid(text))
  }
}
