import GatebookFakes
import Testing

@Suite struct ClientCertificateTests {
  private static let authority = TestAuthority()
  private let trust = TLSTrust(roots: [Self.authority.certificate])

  enum Shown: CaseIterable {
    case nothing, good, foreign, expired, server

    var identity: TestCertificate? {
      get throws {
        switch self {
        case .nothing: nil
        case .good: authority.issueClient("ada")
        case .foreign: TestAuthority("Somebody else").issueClient("ada")
        case .expired: authority.issueClient("ada", validity: .expired)
        case .server: try authority.issue()
        }
      }
    }
  }

  private func answer(
    _ clients: LoopbackTLS.ClientCertificates, _ version: LoopbackTLS.Version,
    showing identity: TestCertificate?
  ) throws -> (Answer?, LoopbackServer) {
    let settings = LoopbackTLS(
      try Self.authority.issue(), clientCertificates: clients, newestVersion: version)
    let server = try LoopbackServer(tls: settings) { _ in .text("welcome") }
    try server.start()
    let client = try #require(RawClient(server.port))
    var trust = trust
    trust.identity = identity
    // With TLS 1.2 the handshake itself fails, with TLS 1.3 the first read.
    guard (try? client.startTLS(trust)) != nil else { return (nil, server) }
    return (client.ask("GET", "/"), server)
  }

  @Test(arguments: Shown.allCases, LoopbackTLS.Version.allCases)
  func `a required certificate must be there and be good`(
    _ shown: Shown, _ version: LoopbackTLS.Version
  ) throws {
    let identity = try shown.identity
    let (answer, server) = try answer(
      .required(of: [Self.authority.certificate]), version, showing: identity)
    server.stop()
    #expect((answer?.status == 200) == (shown == .good))
    #expect(server.requests.map(\.clientPin) == (shown == .good ? [identity?.pin] : []))
    #expect(server.handshakes.map(\.clientPin) == [shown == .good ? identity?.pin : nil])
    #expect((server.handshakes.first?.failure == nil) == (shown == .good))
  }

  @Test(arguments: Shown.allCases, LoopbackTLS.Version.allCases)
  func `a requested certificate may be missing, but not be bad`(
    _ shown: Shown, _ version: LoopbackTLS.Version
  ) throws {
    let (answer, _) = try answer(
      .requested(of: [Self.authority.certificate]), version, showing: shown.identity)
    #expect((answer?.status == 200) == (shown == .good || shown == .nothing))
  }

  @Test func `who is not asked shows nothing`() throws {
    let (answer, server) = try answer(.ignored, .tls13, showing: Shown.good.identity)
    #expect(answer?.status == 200)
    #expect(server.requests.map(\.clientPin) == [nil])
  }

  @Test func `with TLS 1_3 a missing certificate shows at the first read`() throws {
    let settings = LoopbackTLS(
      try Self.authority.issue(),
      clientCertificates: .required(of: [Self.authority.certificate]))
    let server = try LoopbackServer(tls: settings) { _ in .text("welcome") }
    try server.start()
    let client = try RawClient.secure(server.port, trust)
    #expect(client.ask("GET", "/") == nil)
    server.stop()
    #expect(server.handshakes.map(\.failure) == ["peer did not return a certificate"])
  }
}
