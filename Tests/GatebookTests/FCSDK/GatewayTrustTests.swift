import Gatebook
import GatebookFakes
import Testing

@Suite struct GatewayTrustTests {
  private struct Accepting: ChallengeResolver {
    func resolve(_ challenge: Challenge) async -> ChallengeDecision {
      if case .serverTrust = challenge.question {
        .acceptCertificate
      } else {
        .performDefaultHandling
      }
    }
  }

  private func login(
    _ world: GatewayWorld, _ user: FakeGatewayUser = .ada
  ) throws -> LoginMethod {
    .fcsdk(
      try world.settings(secure: true), user: user.username, password: Secret(user.password))
  }

  private func refusal(
    _ world: GatewayWorld, _ user: FakeGatewayUser = .ada, trust: Trust = .system
  ) async throws -> FailureCode {
    var options = LoginOptions()
    options.trust = trust
    let method = try login(world, user)
    let count = world.gateway.requests.count
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.logIn(method, options: options)
    }
    #expect(world.gateway.requests.count == count)
    return try #require(error).code
  }

  @Test func `example d: a key is refused, accepted by a recorded decision, and no other one`()
    async throws
  {
    let certificates = try FakeGatewayCertificates()
    let world = try await GatewayWorld(tls: LoopbackTLS(certificates.selfSigned))
    #expect(try await refusal(world) == .tlsUntrusted)

    await world.book.register(Accepting())
    let ada = try await world.book.logIn(login(world))
    await world.book.removeResolver()
    let decision = try #require(try await world.last(.trustDecided))
    #expect(decision["by"] == "user")
    #expect(decision["verdict"] == "accepted")
    #expect(decision["key"]?.text == certificates.selfSigned.pin)
    #expect(decision["defects"] == .list(["selfSigned"]))
    #expect(try await world.book.savedSettings(of: ada.account)?.trust.exceptions.count == 1)
    // The decision is this account's alone.
    #expect(try await refusal(world, .ben) == .tlsUntrusted)

    await world.book.close()
    let second = try await world.world.open(world.transport)
    _ = try await second.restore(ada.account)
    #expect(try await second.send(.get(world.url("/csdk-sample/x"))).status == 404)
    #expect(try await second.logIn(login(world)).account == ada.account)

    try world.gateway.present(LoopbackTLS(certificates.otherKey))
    await second.register(Accepting())
    let count = world.gateway.requests.count
    let method = try login(world)
    let error = await #expect(throws: GatebookError.self) { try await second.logIn(method) }
    #expect(error?.code == .tlsKeyChanged)
    #expect(world.gateway.requests.count == count)
    #expect(try await second.context(of: ada.account).state == .active)
    let changed = try await second.events(after: .start).last {
      $0.kind == EventKind.trustDecided.rawValue
    }
    #expect(changed?.data["verdict"] == "refused")
    #expect(changed?.data["key"]?.text == certificates.otherKey.pin)
  }

  @Test func `example d: a pinned key with a wrong name is refused until the name is accepted too`()
    async throws
  {
    let certificates = try FakeGatewayCertificates()
    let world = try await GatewayWorld(tls: LoopbackTLS(certificates.wrongName))
    let authority = try certificates.authority.certificate.write(
      to: world.world.folder, as: "authority")
    let key = try KeyHash(certificates.wrongName.pin)
    var trust = Trust(authorities: .file(authority.certificate), pins: [key])
    #expect(try await refusal(world, trust: trust) == .tlsUntrusted)
    func exception(_ defects: Set<CertificateDefect>) -> TrustException {
      TrustException(
        host: "127.0.0.1", port: Int(world.gateway.port), key: key, defects: defects)
    }
    trust.exceptions = [exception([.selfSigned, .expired])]
    #expect(try await refusal(world, trust: trust) == .tlsUntrusted)
    trust.exceptions = [exception([.wrongHost])]
    var options = LoginOptions()
    options.trust = trust
    let ada = try await world.book.logIn(login(world), options: options)
    #expect(ada.state == .active)
    #expect(try await world.book.savedSettings(of: ada.account)?.trust == trust)
  }

  @Test func `example d: over plain http the trust setting changes nothing`() async throws {
    let certificates = try FakeGatewayCertificates()
    let world = try await GatewayWorld()
    var options = LoginOptions()
    options.trust = Trust(pins: [try KeyHash(certificates.good.pin)])
    let ada = try await world.book.logIn(world.login(), options: options)
    #expect(ada.server == world.gateway.url)
    #expect(world.gateway.handshakes.isEmpty)
    #expect(try await world.book.logOut(ada.account).state == .ended(.user))
    #expect(world.gateway.sessions.isEmpty)
  }

  @Test(arguments: [true, false])
  func `secure and the port decide about TLS, trust does not`(_ secure: Bool) async throws {
    let certificates = try FakeGatewayCertificates()
    let world = try await GatewayWorld(tls: secure ? nil : LoopbackTLS(certificates.good))
    // The setting is the other way round than the server: nothing falls back.
    let method = LoginMethod.fcsdk(
      try world.settings(secure: secure), user: "ada", password: Secret("x"))
    var options = LoginOptions()
    options.trust.exceptions = [
      TrustException(
        host: "127.0.0.1", port: Int(world.gateway.port), key: try KeyHash(certificates.good.pin),
        defects: Set(CertificateDefect.allCases))
    ]
    await #expect(throws: GatebookError.self) {
      try await world.book.logIn(method, options: options)
    }
    #expect(try await world.book.accounts().isEmpty)
  }
}
