import COpenSSLTLS
import GatebookFakes
import Testing

@Suite struct GatewayTrustTests {
  private static let certificates = Result { try FakeGatewayCertificates() }

  enum Face: CaseIterable {
    case good, selfSigned, renewed, otherKey, expired, expiredSelfSigned, wrongName
    case wrongNameSelfSigned, forged

    func certificate(_ all: FakeGatewayCertificates) -> TestCertificate {
      switch self {
      case .good: all.good
      case .selfSigned: all.selfSigned
      case .renewed: all.renewed
      case .otherKey: all.otherKey
      case .expired: all.expired
      case .expiredSelfSigned: all.expiredSelfSigned
      case .wrongName: all.wrongName
      case .wrongNameSelfSigned: all.wrongNameSelfSigned
      case .forged: all.forged
      }
    }

    /// What a client that trusts the authority says of it.
    var verdict: Int32 {
      switch self {
      case .good: X509_V_OK
      case .expired: X509_V_ERR_CERT_HAS_EXPIRED
      case .wrongName: X509_V_ERR_IP_ADDRESS_MISMATCH
      case .forged: X509_V_ERR_CERT_SIGNATURE_FAILURE
      default: X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT
      }
    }
  }

  @Test(arguments: Face.allCases)
  func `each certificate has its defect, and nothing comes through`(
    _ face: Face
  ) throws {
    let certificates = try Self.certificates.get()
    let verdict = face.verdict
    let gateway = try FakeGateway(tls: LoopbackTLS(face.certificate(certificates)))
    try gateway.start()
    let client = try #require(RawClient(gateway.port))
    let trust = TLSTrust(roots: [certificates.authority.certificate])
    #expect(try client.startTLS(trust) == verdict)
    if verdict == X509_V_OK {
      #expect(client.ask("GET", FakeGateway.sampleLoginPath)?.status == 405)
    }
    gateway.stop()
    #expect(gateway.requests.isEmpty == (verdict != X509_V_OK))
    #expect(gateway.handshakes.count == 1)
    #expect(gateway.connectionCount == 1)
  }

  @Test(arguments: Face.allCases.filter { $0.verdict == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT })
  func `who trusts what signs itself sees its other defects`(
    _ face: Face
  ) throws {
    let certificates = try Self.certificates.get()
    let certificate = face.certificate(certificates)
    let gateway = try FakeGateway(tls: LoopbackTLS(certificate))
    try gateway.start()
    let client = try #require(RawClient(gateway.port))
    let expected =
      switch face {
      case .expiredSelfSigned: X509_V_ERR_CERT_HAS_EXPIRED
      case .wrongNameSelfSigned: X509_V_ERR_IP_ADDRESS_MISMATCH
      default: X509_V_OK
      }
    #expect(try client.startTLS(TLSTrust(roots: [certificate])) == expected)
  }

  @Test func `only the renewed certificate keeps its pin`() throws {
    let certificates = try Self.certificates.get()
    #expect(certificates.renewed.pin == certificates.selfSigned.pin)
    #expect(certificates.renewed.der != certificates.selfSigned.der)
    let pins = Face.allCases.map { $0.certificate(certificates).pin }
    #expect(Set(pins).count == pins.count - 1)
  }

  @Test func `the gateway changes its key in place, and speaks plainly when told`() throws {
    let certificates = try Self.certificates.get()
    let gateway = try FakeGateway(tls: LoopbackTLS(certificates.selfSigned))
    try gateway.start()
    #expect(gateway.loginURL.hasPrefix("https://127.0.0.1:\(gateway.port)/"))
    let trust = TLSTrust(roots: [certificates.selfSigned])
    _ = try RawClient.secure(gateway.port, trust)
    try gateway.present(LoopbackTLS(certificates.otherKey))
    let client = try #require(RawClient(gateway.port))
    #expect(try client.startTLS(trust) == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT)
    try gateway.present(nil)
    #expect(gateway.loginURL.hasPrefix("http://127.0.0.1:\(gateway.port)/"))
    #expect(GatewayCaller(gateway).logIn(.ada)?.status == 200)
  }

  @Test func `a login over TLS is recorded with the client's certificate`() throws {
    let certificates = try Self.certificates.get()
    let ada = certificates.authority.issueClient("ada")
    let gateway = try FakeGateway(
      tls: LoopbackTLS(
        certificates.good,
        clientCertificates: .required(of: [certificates.authority.certificate])))
    try gateway.start()
    let client = try RawClient.secure(
      gateway.port, TLSTrust(roots: [certificates.authority.certificate], identity: ada))
    let answer = client.ask(
      "POST", FakeGateway.sampleLoginPath, [("Content-Type", "application/json; charset=utf-8")],
      body: #"{"username":"ben","password":"ben's own password"}"#)
    #expect(answer?.status == 200)
    #expect(gateway.requests.map(\.request.clientPin) == [ada.pin])
    #expect(gateway.handshakes.map(\.clientPin) == [ada.pin])
  }
}
