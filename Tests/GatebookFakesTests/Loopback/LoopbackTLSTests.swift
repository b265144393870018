import COpenSSLTLS
import Testing

@testable import GatebookFakes

@Suite struct LoopbackTLSTests {
  private static let authority = TestAuthority()
  private let trust = TLSTrust(roots: [Self.authority.certificate])

  private func server(_ identity: TestCertificate) throws -> LoopbackServer {
    let server = try LoopbackServer(tls: LoopbackTLS(identity)) { .text("You asked \($0.path).") }
    try server.start()
    return server
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `who trusts the authority is served`(_ host: String) throws {
    let server = try server(Self.authority.issue())
    #expect(server.url == "https://127.0.0.1:\(server.port)")
    let client = try RawClient.secure(server.port, TLSTrust(roots: trust.roots, host: host))
    for path in ["/a", "/b"] {
      #expect(client.ask("GET", path)?.text == "You asked \(path).")
    }
    #expect(server.requests.map(\.clientPin) == [nil, nil])
    #expect(server.handshakes.map(\.failure) == [nil])
    #expect(server.handshakes.map(\.version) == ["TLSv1.3"])
    #expect(server.connectionCount == 1)
  }

  enum Defect: CaseIterable {
    case selfSigned, unknownRoot, forged, expired, notYetValid, wrongName

    var identity: TestCertificate {
      get throws {
        switch self {
        case .selfSigned: try .selfSigned()
        case .unknownRoot: try TestAuthority("Somebody else").issue()
        case .forged: try authority.forge()
        case .expired: try authority.issue(validity: .expired)
        case .notYetValid: try authority.issue(validity: .notYetValid)
        case .wrongName: try authority.issue(TestCertificate.elsewhere)
        }
      }
    }

    var verdict: Int32 {
      switch self {
      case .selfSigned: X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT
      case .unknownRoot: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
      case .forged: X509_V_ERR_CERT_SIGNATURE_FAILURE
      case .expired: X509_V_ERR_CERT_HAS_EXPIRED
      case .notYetValid: X509_V_ERR_CERT_NOT_YET_VALID
      case .wrongName: X509_V_ERR_HOSTNAME_MISMATCH
      }
    }
  }

  @Test(arguments: Defect.allCases)
  func `each defect is refused for its own reason`(_ defect: Defect) throws {
    let server = try server(defect.identity)
    for host in ["localhost", "127.0.0.1"] {
      let client = try #require(RawClient(server.port))
      let verdict = try client.startTLS(TLSTrust(roots: trust.roots, host: host))
      let isAddress = defect == .wrongName && host == "127.0.0.1"
      #expect(verdict == (isAddress ? X509_V_ERR_IP_ADDRESS_MISMATCH : defect.verdict))
    }
    server.stop()
    #expect(server.requests.isEmpty)
    #expect(server.handshakes.count == 2)
    for handshake in server.handshakes {
      #expect(handshake.failure?.contains("alert") == true)
      #expect(handshake.version.isEmpty)
    }
  }

  @Test func `a certificate that signs itself is good for who trusts it, by its own name`() throws {
    let certificate = try TestCertificate.selfSigned()
    let server = try server(certificate)
    let client = try RawClient.secure(server.port, TLSTrust(roots: [certificate]))
    #expect(client.ask("GET", "/")?.status == 200)
    try server.present(LoopbackTLS(.selfSigned(TestCertificate.elsewhere, keyOf: certificate)))
    let stranger = try #require(RawClient(server.port))
    #expect(try stranger.startTLS(TLSTrust(roots: [certificate])) != X509_V_OK)
  }

  @Test func `another key is presented on the same port, and plain HTTP after it`() throws {
    let (first, second) = (try Self.authority.issue(), try Self.authority.issue())
    let server = try server(first)
    let one = try RawClient.secure(server.port, trust)
    try server.present(LoopbackTLS(second))
    let two = try RawClient.secure(server.port, trust)
    #expect([one, two].map { $0.tls?.peerPin } == [first.pin, second.pin])
    #expect([one, two].map { $0.ask("GET", "/")?.status } == [200, 200])
    try server.present(nil)
    #expect(server.url == "http://127.0.0.1:\(server.port)")
    #expect(RawClient.ask(server.port, "GET", "/plain")?.text == "You asked /plain.")
  }

  @Test(arguments: LoopbackTLS.Version.allCases)
  func `the newest version is a setting`(_ version: LoopbackTLS.Version) throws {
    let settings = LoopbackTLS(try Self.authority.issue(), newestVersion: version)
    let server = try LoopbackServer(tls: settings) { _ in .text("") }
    try server.start()
    let client = try RawClient.secure(server.port, trust)
    #expect(client.tls?.version == (version == .tls12 ? "TLSv1.2" : "TLSv1.3"))
  }

  @Test func `neither side takes plain bytes for TLS`() throws {
    let server = try server(Self.authority.issue())
    #expect(RawClient.ask(server.port, "GET", "/") == nil)
    server.stop()
    #expect(server.handshakes.map(\.failure) == ["http request"])
    #expect(server.requests.isEmpty)
    try server.present(nil)
    try server.start()
    let client = try #require(RawClient(server.port))
    #expect(throws: FailedHandshake.self) { try client.startTLS(trust) }
  }
}
