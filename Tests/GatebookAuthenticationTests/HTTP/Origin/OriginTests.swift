internal import GatebookAuthentication
internal import Testing

@Suite struct OriginTests {
  @Test(arguments: [
    ("127.0.0.1", true, true), ("127.255.255.254", true, true), ("::1", true, true),
    ("localhost", true, false), ("localhost.example.com", false, false),
    ("a.localhost", false, false), ("127.example.com", false, false), ("128.0.0.1", false, true),
    ("::2", false, true), ("::ffff:7f00:1", false, true), ("127.1", false, false),
    ("", false, false), ("example.com", false, false),
  ])
  func `only literal loopback hosts are loopback`(
    _ host: String, _ isLoopback: Bool, _ isIPAddress: Bool
  ) {
    let origin = Origin(scheme: "http", host: host, port: 80)
    #expect(origin.isLoopback == isLoopback)
    #expect(origin.isIPAddress == isIPAddress)
  }

  @Test func `an origin names its port only where it has to`() {
    #expect(Origin(scheme: "http", host: "h", port: 80).description == "http://h")
    #expect(Origin(scheme: "https", host: "h", port: 80).description == "https://h:80")
    #expect(Origin(scheme: "https", host: "::1", port: 444).description == "https://[::1]:444")
  }
}
