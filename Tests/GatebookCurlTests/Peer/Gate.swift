internal import GatebookAuthentication
internal import GatebookCurl
internal import GatebookFakes
internal import Testing

/// A TLS server on loopback, and an account that knocks with a secret.
struct Gate {
  let server: LoopbackServer

  /// Runs a server while the body runs.
  static func run<Result>(
    _ tls: LoopbackTLS?, _ body: (Gate) async throws -> Result
  ) async throws -> Result {
    let server = try LoopbackServer(tls: tls) { _ in .text("welcome") }
    try server.start()
    defer { server.stop() }
    return try await body(Gate(server: server))
  }

  /// What a request that must not fall into wrong hands ends in; `nil` when it was answered.
  func knock(
    _ trust: Trust, host: String = "127.0.0.1", with transport: CurlTransport = .forTests()
  ) async throws -> TransportFailure? {
    let scheme = server.url.hasPrefix("https:") ? "https" : "http"
    let url = try #require(HTTPURL("\(scheme)://\(host):\(server.port)/?token=secret"))
    let request = HTTPRequest(
      "POST", url, fields: [HTTPField("Authorization", "Bearer secret")], body: Array("secret".utf8)
    )
    return await transport.failure(of: request, through: Route(pool: "ada", trust: trust))
  }
}

extension Trust {
  /// Trusts an authority from a file.
  static func authority(_ files: TestCertificate.Files) -> Trust {
    .authorities(file: files.certificate)
  }
}

extension TestCertificate {
  /// The key's hash as the code under test writes it.
  var keyHash: KeyHash {
    get throws { try KeyHash(pin) }
  }
}
