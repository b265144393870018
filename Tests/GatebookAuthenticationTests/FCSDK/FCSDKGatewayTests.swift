internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

struct FCSDKGatewayTests {
  @Test
  func `ports are the usual ones unless given`() throws {
    #expect(
      try FCSDKGateway(server: "Gateway.Example").loginURL.description
        == "https://gateway.example:8443/csdk-sample/SDK/login")
    #expect(
      try FCSDKGateway(server: "10.0.0.1", secure: false, path: "/l").loginURL.description
        == "http://10.0.0.1:8080/l")
    #expect(
      try FCSDKGateway(server: "::1", port: 443).loginURL.origin.description == "https://[::1]")
    #expect(try FCSDKGateway(server: "[::1]", port: 80).loginURL.origin.port == 80)
  }

  @Test(arguments: [
    "", "a b", "a/b", "a?b", "a#", "a#:443", "user@host", "a:80", "a\\b", "größe", "https://a",
    "..",
  ])
  func `a server is a host and nothing else`(_ server: String) {
    for port in [nil, 443, 8443] {
      let error = #expect(throws: GatebookError.self) {
        try FCSDKGateway(server: server, port: port)
      }
      #expect(error?.code == .configurationInvalid)
      #expect(error?.message.hasPrefix("Setting `server`:") == true)
    }
  }

  @Test(arguments: [
    "", "login", "/a b", "/a?b", "/a#b", "/ä", "/a/../b", "/a/./b", "//x%2", "/%zz",
  ])
  func `a path is sent unchanged, or refused`(_ path: String) {
    let error = #expect(throws: GatebookError.self) {
      try FCSDKGateway(server: "gateway.example", path: path)
    }
    #expect(error?.code == .configurationInvalid)
  }

  @Test(arguments: [0, -1, 65_536])
  func `a port is a port`(_ port: Int) {
    #expect(throws: GatebookError.self) { try FCSDKGateway(server: "gateway.example", port: port) }
  }

  @Test(arguments: [
    HTTPField("", "x"), HTTPField("a b", "x"), HTTPField("A", "x\r\nB: y"), HTTPField("A", "\u{0}"),
    HTTPField("host", "x"), HTTPField("Cookie", "x"), HTTPField("content-length", "1"),
    HTTPField("Content-Type", "text/plain"), HTTPField("Transfer-Encoding", "chunked"),
  ])
  func `a field that would change the request is refused`(_ field: HTTPField) {
    let error = #expect(throws: GatebookError.self) {
      try FCSDKGateway(server: "gateway.example", field: field)
    }
    #expect(error?.code == .configurationInvalid)
  }

  @Test
  func `a URL says the same, without a path of its own`() throws {
    let url = try HTTPURL.at("https://gateway.example:8443/")
    #expect(try FCSDKGateway(at: url) == FCSDKGateway(server: "gateway.example"))
    for other in ["https://gateway.example/x", "https://gateway.example/?a"] {
      let url = try HTTPURL.at(other)
      #expect(throws: GatebookError.self) { try FCSDKGateway(at: url) }
    }
  }

  @Test
  func `settings are remembered without the field, which may be a key`() throws {
    let field = HTTPField("X-Key", "cipher")
    let gateway = try GatewayLogin.gateway(path: "/a/b", useCookies: false, field: field)
    #expect("\(gateway)" == "\(GatewayLogin.site)/a/b")
    let settings = try GatewayLogin.outcome(field: field).proof.settings
    #expect(!String(decoding: settings.encoded, as: UTF8.self).contains("cipher"))
    let read = try #require(settings["gateway"]?.object.flatMap { FCSDKGateway(record: $0) })
    #expect(read == (try GatewayLogin.gateway()))
  }
}
