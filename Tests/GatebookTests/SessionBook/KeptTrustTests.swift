import Gatebook
import GatebookFakes
import Testing

/// A login again replaces what it names of the account's trust, and leaves everything else.
@Suite struct KeptTrustTests {
  private static func key(_ byte: UInt8) -> KeyHash {
    KeyHash(of: [byte])
  }

  private static func exception(
    _ byte: UInt8, at port: Int = 443, _ defects: Set<CertificateDefect> = [.expired]
  ) -> TrustException {
    TrustException(host: "server.example", port: port, key: key(byte), defects: defects)
  }

  private static let former = Trust(
    authorities: .file("/etc/own.pem"), pins: [key(1)],
    exceptions: [exception(2), exception(3, at: 8443)],
    client: ClientCertificate(certificate: "/etc/ada.pem", key: "/etc/ada.key"))

  /// What a second login says, and what the account trusts then.
  private static let rows: [(said: Trust, change: @Sendable (inout Trust) -> Void)] = [
    (.system, { _ in }),
    (.authorities(file: "/etc/new.pem"), { $0.authorities = .file("/etc/new.pem") }),
    (Trust(pins: [key(9)]), { $0.pins = [key(9)] }),
    (
      Trust(exceptions: [exception(9)]),
      { $0.exceptions = [exception(9), exception(3, at: 8443)] }
    ),
    (
      Trust(exceptions: [exception(2, [.wrongHost])]),
      { $0.exceptions = [exception(2, [.wrongHost]), exception(3, at: 8443)] }
    ),
    (
      Trust(client: ClientCertificate(certificate: "/etc/new.pem", key: "/etc/new.key")),
      { $0.client = ClientCertificate(certificate: "/etc/new.pem", key: "/etc/new.key") }
    ),
  ]

  @Test(arguments: rows.indices, [true, false])
  func `each part that a login names replaces its own kind, and nothing else goes`(
    _ row: Int, _ isNamed: Bool
  ) async throws {
    let world = try await GatewayWorld()
    var options = LoginOptions()
    options.trust = Self.former
    let ada = try await world.book.logIn(world.login(), options: options).account
    options = LoginOptions()
    options.account = isNamed ? ada : nil
    options.trust = Self.rows[row].said
    _ = try await world.book.logIn(world.login(), options: options)
    var expected = Self.former
    Self.rows[row].change(&expected)
    #expect(try await world.book.trust(of: ada) == expected)
    #expect(try await world.book.savedSettings(of: ada)?.trust == expected)
  }

  @Test func `a login that is to reset the trust leaves nothing but its own`() async throws {
    let world = try await GatewayWorld()
    var options = LoginOptions()
    options.trust = Self.former
    let ada = try await world.book.logIn(world.login(), options: options).account
    options.keepsTrust = false
    options.trust = Trust(pins: [Self.key(7)])
    _ = try await world.book.logIn(world.login(), options: options)
    #expect(try await world.book.trust(of: ada) == Trust(pins: [Self.key(7)]))
    options.trust = .system
    _ = try await world.book.logIn(world.login(), options: options)
    #expect(try await world.book.trust(of: ada) == .system)
  }

  @Test func `a login by what was saved keeps what the account trusts by now`() async throws {
    let world = try await GatewayWorld()
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await world.book.logIn(world.login(), options: options).account
    options.saveCredentials = false
    options.trust = Self.former
    _ = try await world.book.logIn(world.login(), options: options)
    try await world.book.logInAgain(ada)
    #expect(try await world.book.trust(of: ada) == Self.former)
  }
}
