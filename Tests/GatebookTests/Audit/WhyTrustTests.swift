import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// What `why` tells of a server that is not trusted now, and of one that is trusted again.
@Suite struct WhyTrustTests {
  private static let shown = KeyHash(bytes: [UInt8](repeating: 7, count: 32))
  private static let allowed = KeyHash(bytes: [UInt8](repeating: 9, count: 32))

  /// A server of tokens whose certificate can go wrong.
  private struct Stage {
    let server: TokenServer
    let book: SessionBook
    let ada: AccountID
    let world: TestBook
    let code = TestBox<FailureCode?>(nil)

    init(pins: [KeyHash]) async throws {
      world = try TestBook()
      server = TokenServer(world.clock)
      book = try await world.open(
        ScriptedTransport { [server, code] request, route throws(TransportFailure) in
          guard let code = code.value else {
            return try await server.transport.send(request, through: route)
          }
          var failure = TransportFailure(
            GatebookError(code, "It is not trusted.", remedy: "Look."), delivery: .notSent)
          failure.certificate = shown.map {
            ServerCertificate(
              host: "auth.example", port: 443, key: $0,
              defects: code == .tlsUntrusted ? [.selfSigned] : [])
          }
          throw failure
        })
      var options = LoginOptions()
      options.trust.pins = pins
      ada = try await book.logIn(server.method(), options: options).account
    }

    func use() async throws { _ = try? await book.send(server.page(), as: ada) }

    func told() async throws -> Told { try await book.told(ada) }
  }

  @Test(arguments: [
    (FailureCode.tlsKeyChanged, true, false), (.tlsUntrusted, false, false),
    (.tlsUntrusted, false, true), (.tlsKeyChanged, true, true),
  ])
  func `an untrusted server comes first, until it has answered again`(
    _ code: FailureCode, _ hasPin: Bool, _ isOver: Bool
  ) async throws {
    let (shown, allowed) = (try #require(Self.shown), try #require(Self.allowed))
    let stage = try await Stage(pins: hasPin ? [allowed] : [])
    if isOver { stage.server.advance(601) }
    stage.code.value = code
    try await stage.use()
    let refused = try await stage.told()
    let flaw = code == .tlsUntrusted ? ", which is self-signed" : ""
    let rule =
      hasPin ? "the key \(allowed)" : "a certificate from a trusted authority"
    #expect(
      refused.answer.hasPrefix(
        "The server is not trusted now: auth.example:443 showed the key \(shown)\(flaw). Only \(rule) "
          + "is accepted. Nothing was sent. "), "\(refused)")
    #expect(refused.advice == .checkServer)
    stage.code.value = nil
    try await stage.use()
    let again = try await stage.told()
    #expect(!again.answer.contains("not trusted"), "\(again)")
    #expect(again.advice == .nothing, "\(again)")
  }

  @Test func `that a server is trusted again is recorded once`() async throws {
    let stage = try await Stage(pins: [])
    stage.code.value = .tlsUntrusted
    try await stage.use()
    stage.code.value = nil
    for _ in 1...3 { try await stage.use() }
    let verdicts = try BookReader.open(at: stage.world.path).events(EventFilter())
      .filter { $0.isKind(.trustDecided) }.map { $0.data["verdict"]?.text }
    #expect(verdicts == ["refused", "trusted"])
    #expect(
      try await stage.told().steps.last
        == "tests 1, process N found that auth.example:443 is trusted again.")
    #expect(try await stage.book.findings().isEmpty)
  }

  @Test func `a login that a certificate stops says so first`() async throws {
    let world = try TestBook()
    let shown = try #require(Self.shown)
    let book = try await world.open(
      ScriptedTransport { _, _ throws(TransportFailure) in
        var failure = TransportFailure(
          GatebookError(.tlsUntrusted, "It is not trusted.", remedy: "Look."), delivery: .notSent)
        failure.certificate = ServerCertificate(
          host: "127.0.0.1", port: 8080, key: shown, defects: [.selfSigned])
        throw failure
      })
    _ = try? await book.logIn(.basic())
    let told = try await book.told(last: .loginFailed)
    #expect(
      told.answer.hasPrefix(
        "The server is not trusted now: 127.0.0.1:N showed the key \(shown), which is self-signed. "
      ),
      "\(told)")
    #expect(told.advice == .checkServer)
  }
}
