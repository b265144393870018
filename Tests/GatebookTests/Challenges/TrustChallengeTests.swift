import Gatebook
import GatebookFakes
import Testing

/// Certificates of a portal that no authority has signed.
@Suite struct TrustChallengeTests {
  private let certificate: TestCertificate
  private let world: PortalWorld

  init() async throws {
    certificate = try .selfSigned()
    world = try await PortalWorld(tls: LoopbackTLS(certificate))
  }

  /// The verdicts of the decisions in the log, in their order, with who decided.
  private func verdicts() async throws -> [String] {
    try await world.book.events(after: .start).filter { $0.kind == "trust.decided" }.map {
      "\($0.data["verdict"]?.text ?? "-") by \($0.data["by"]?.text ?? "-")"
    }
  }

  @Test(arguments: [PortalMode.email, .cookie, .oauth1, .oauth2Password])
  func `an unknown certificate is refused before anything is sent`(
    mode: PortalMode
  ) async throws {
    let error = await #expect(throws: GatebookError.self) { try await world.logIn(mode) }
    #expect(error?.code == .tlsUntrusted)
    #expect(
      try world.kinds() == ["book.created", "login.started", "trust.decided", "login.failed"])
    #expect(try await verdicts() == ["refused by policy"])
    #expect(world.portal.requests.isEmpty)
    let decided = try await world.book.events(after: .start).first { $0.kind == "trust.decided" }
    #expect(decided?.data["key"]?.text == certificate.pin)
    #expect(decided?.data["host"] == "127.0.0.1")
    #expect(decided?.data["port"] == .integer(Int64(world.portal.port)))
  }

  @Test(arguments: [ChallengeDecision.performDefaultHandling, .rejectProtectionSpace])
  func `who does not accept it has refused it`(decision: ChallengeDecision) async throws {
    let resolver = ScriptedResolver(last: decision)
    await world.book.register(resolver)
    let error = await #expect(throws: GatebookError.self) { try await world.logIn(.cookie) }
    #expect(error?.code == .tlsUntrusted)
    #expect(resolver.asked == ["trust 0"])
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "trust.decided",
        "challenge.failed", "login.failed",
      ])
    #expect(world.portal.requests.isEmpty)
  }

  @Test func `a caller who cancels gets that error`() async throws {
    await world.book.register(ScriptedResolver(.cancelAuthenticationChallenge))
    let error = await #expect(throws: GatebookError.self) { try await world.logIn(.cookie) }
    #expect(error?.code == .challengeCancelled)
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "challenge.received", "trust.decided",
        "challenge.cancelled", "login.failed",
      ])
    #expect(try await verdicts() == ["refused by user"])
    #expect(world.portal.requests.isEmpty)
  }

  @Test(arguments: [PortalMode.email, .cookie, .oauth2Password])
  func `what is accepted once holds over restart and logout, until it is revoked`(
    mode: PortalMode
  ) async throws {
    let resolver = ScriptedResolver(.acceptCertificate)
    await world.book.register(resolver)
    let ada = try await world.logIn(mode)
    #expect(
      try Array(world.kinds().prefix(5)) == [
        "book.created", "login.started", "challenge.received", "trust.decided",
        "challenge.answered",
      ])
    #expect(try await verdicts() == ["accepted by user"])
    guard case .serverTrust(let shown)? = resolver.challenges.first?.question else {
      Issue.record("No certificate was shown.")
      return
    }
    #expect(shown.key.description == certificate.pin)
    #expect(shown.defects == [.selfSigned])

    await world.book.close()
    let again = try await world.world.open(world.transport)
    await again.register(resolver)
    let call = try world.call()
    #expect(try await again.send(call, as: ada.account).status == 200)
    _ = try await again.logOut(ada.account)
    let method = try world.method(mode)
    _ = try await again.logIn(method)
    #expect(try await again.send(call).status == 200)
    #expect(resolver.asked == ["trust 0"])
    // It was decided once, and is reported once.
    #expect(try await verdicts() == ["accepted by user"])
    #expect(try await again.trust(of: ada.account).exceptions.map(\.key) == [shown.key])

    _ = try await again.revokeTrust(of: ada.account, key: shown.key)
    #expect(try await verdicts() == ["accepted by user", "revoked by user"])
    let sent = world.portal.requests.count
    await expect(.tlsUntrusted) { () throws(GatebookError) in
      _ = try await again.send(call, as: ada.account)
    }
    #expect(try await again.context(of: ada.account).state == .active)
    await expect(.tlsUntrusted) { () throws(GatebookError) in _ = try await again.logIn(method) }
    #expect(world.portal.requests.count == sent)
  }

  @Test func `another key is a changed key, and nobody is asked`() async throws {
    let resolver = ScriptedResolver(last: .acceptCertificate)
    await world.book.register(resolver)
    let ada = try await world.logIn(.email)
    try world.portal.present(LoopbackTLS(.selfSigned()))
    let sent = world.portal.requests.count
    let before = try world.kinds().count
    let call = try world.call()
    await expect(.tlsKeyChanged) { () throws(GatebookError) in
      _ = try await world.book.send(call, as: ada.account)
    }
    let method = try world.method(.email)
    await expect(.tlsKeyChanged) { () throws(GatebookError) in
      _ = try await world.book.logIn(method)
    }
    #expect(resolver.asked.count == 1)
    #expect(world.portal.requests.count == sent)
    #expect(
      try world.kinds(after: before) == [
        "trust.decided", "login.started", "trust.decided", "login.failed",
      ])
    #expect(try await world.book.context(of: ada.account).state == .active)
  }

  @Test func `a key that a login names replaces the one that was accepted`()
    async throws
  {
    await world.book.register(ScriptedResolver(.acceptCertificate))
    let ada = try await world.logIn(.email)
    let renewed = try TestCertificate.selfSigned()
    try world.portal.present(LoopbackTLS(renewed))
    var options = LoginOptions()
    options.trust.exceptions = [
      TrustException(
        host: "127.0.0.1", port: Int(world.portal.port), key: try KeyHash(renewed.pin),
        defects: [.selfSigned])
    ]
    _ = try await world.logIn(world.method(.email), options: options)
    #expect(try await world.book.trust(of: ada.account) == options.trust)
    #expect(try await world.book.send(world.call()).status == 200)
    try world.portal.present(LoopbackTLS(certificate))
    let call = try world.call()
    await expect(.tlsKeyChanged) { () throws(GatebookError) in _ = try await world.book.send(call) }
  }

  @Test func `an exception in the options is enough, and is recorded with the login`()
    async throws
  {
    var options = LoginOptions()
    options.trust.exceptions = [
      TrustException(
        host: "127.0.0.1", port: Int(world.portal.port), key: try KeyHash(certificate.pin),
        defects: [.selfSigned])
    ]
    _ = try await world.logIn(world.method(.email), options: options)
    #expect(try await world.book.send(world.call()).status == 200)
    #expect(
      try world.kinds() == [
        "book.created", "login.started", "account.added", "login.succeeded", "attributes.changed",
        "trust.decided", "account.switched",
      ])
  }

  @Test func `a pin holds for the session, and is recorded once`() async throws {
    let authority = TestAuthority()
    let good = try authority.issue()
    let folder = try TestBook()
    let files = try authority.certificate.write(to: folder.folder, as: "test")
    defer { TestFile.remove([files.certificate, files.key]) }
    try world.portal.present(LoopbackTLS(good))
    var options = LoginOptions()
    options.trust = .authorities(file: files.certificate)
    options.trust.pins = [try KeyHash(good.pin)]
    let ada = try await world.logIn(world.method(.email), options: options)
    _ = try await world.logIn(world.method(.email), options: options)
    #expect(try await world.book.trust(of: ada.account).pins == [KeyHash(good.pin)])
    #expect(try await verdicts() == ["pinned by user"])
    try world.portal.present(LoopbackTLS(authority.issue()))
    let call = try world.call()
    let sent = world.portal.requests.count
    await expect(.tlsKeyChanged) { () throws(GatebookError) in _ = try await world.book.send(call) }
    #expect(world.portal.requests.count == sent)
  }
}
