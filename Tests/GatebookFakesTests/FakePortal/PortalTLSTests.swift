import GatebookTestSupport
import Testing

@testable import GatebookFakes

@Suite struct PortalTLSTests {
  private static let authority = TestAuthority()

  private func begin(_ portal: FakeLiferayPortal, _ client: ConsumerClient) throws -> Answer? {
    let connection = try RawClient.secure(
      portal.port, TLSTrust(roots: [Self.authority.certificate]))
    let path = "/c/portal/oauth/request_token"
    let field = client.authorization("POST", path, nonce: "n", ["oauth_callback": "oob"])
    return connection.ask("POST", path, [("Authorization", field)])
  }

  @Test func `a portal speaks TLS, and signatures are checked for https`() throws {
    let portal = try FakeLiferayPortal(
      tls: LoopbackTLS(Self.authority.issue()), clock: FixedClock())
    try portal.start()
    #expect(portal.url == "https://127.0.0.1:\(portal.port)")
    var client = ConsumerClient(portal: portal)
    #expect(try begin(portal, client)?.text == "oauth_problem=signature_invalid")
    client.scheme = "https"
    #expect(try begin(portal, client)?.status == 200)
  }

  @Test func `a portal may show a certificate that nobody trusts, or speak plainly again`() throws {
    let portal = try startedPortal()
    try portal.present(LoopbackTLS(.selfSigned()))
    #expect(throws: FailedHandshake.self) {
      try RawClient.secure(portal.port, TLSTrust(roots: [Self.authority.certificate]))
    }
    try portal.present(nil)
    #expect(portal.url.hasPrefix("http://"))
    #expect(RawClient.ask(portal.port, "GET", "/")?.status == 200)
  }
}
