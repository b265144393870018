internal import GatebookAuthentication
internal import GatebookEvents
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCurl

@Suite(.timeLimit(.minutes(10)))
struct TrustTests {
  /// Runs a server of a kind, with the authority's file for the account.
  private func run(
    _ kind: ServerKind, _ body: (Gate, TestCertificate, Trust) async throws -> Void
  ) async throws {
    let authority = TestAuthority()
    let certificate = try kind.certificate(authority)
    try await withFolder { folder in
      let files = try authority.certificate.write(to: folder, as: "authority")
      try await Gate.run(LoopbackTLS(certificate)) { gate in
        try await body(gate, certificate, .authority(files))
      }
    }
  }

  private func check(
    _ failure: TransportFailure?, _ gate: Gate, _ certificate: TestCertificate,
    _ defects: Set<CertificateDefect>
  ) throws {
    let failure = try #require(failure)
    #expect(failure.error.code == .tlsUntrusted)
    #expect(failure.delivery == .notSent)
    #expect(gate.server.requests.isEmpty)
    let shown = try #require(failure.certificate)
    #expect(shown.defects == defects)
    #expect(shown.key == (try certificate.keyHash))
    #expect(shown.host == "127.0.0.1")
    #expect(shown.port == Int(gate.server.port))
    let text = failure.error.description
    #expect(!text.contains("secret"))
    #expect(text.contains(shown.key.description))
    for defect in defects {
      #expect(failure.error.message.contains(defect.explanation))
      #expect(failure.error.cause?.contains(defect.rawValue) == true)
    }
  }

  @Test(arguments: ServerKind.allCases)
  func `an account's own authority is trusted, and each defect refuses`(
    _ kind: ServerKind
  ) async throws {
    try await run(kind) { gate, certificate, trust in
      let failure = try await gate.knock(trust)
      guard !kind.defects.isEmpty else {
        #expect(failure == nil)
        #expect(gate.server.requests.count == 1)
        return
      }
      try check(failure, gate, certificate, kind.defects)
    }
  }

  @Test(arguments: ServerKind.allCases)
  func `what the machine's authorities do not know is refused with all its defects`(
    _ kind: ServerKind
  ) async throws {
    try await run(kind) { gate, certificate, _ in
      try check(
        try await gate.knock(.system), gate, certificate, kind.defectsForStrangers)
    }
  }

  @Test(arguments: ServerKind.allCases)
  func `an exception opens with all of the defects, and not with one less`(
    _ kind: ServerKind
  ) async throws {
    try await run(kind) { gate, certificate, _ in
      let shown = try #require(try await gate.knock(.system)?.certificate)
      for defect in shown.defects {
        let fewer = TrustException(
          host: shown.host, port: shown.port, key: shown.key,
          defects: shown.defects.subtracting([defect]))
        let failure = try await gate.knock(Trust(exceptions: [fewer]))
        try check(failure, gate, certificate, kind.defectsForStrangers)
      }
      let trust = Trust(exceptions: [TrustException(accepting: shown)])
      #expect(try await gate.knock(trust) == nil)
      #expect(gate.server.requests.count == 1)
    }
  }

  @Test
  func `the certificate says whom it is for and when it is valid`() async throws {
    try await run(.issued) { gate, _, _ in
      let shown = try #require(try await gate.knock(.system)?.certificate)
      #expect(shown.subject == "/CN=Gatebook test server")
      #expect(shown.issuer == "/CN=Gatebook test authority")
      #expect(shown.notBefore == Timestamp(rawValue: 946_684_800_000_000))
      #expect(shown.notAfter == Timestamp(rawValue: 4_102_444_799_000_000))
    }
  }

  @Test(arguments: [ServerKind.issued, .issuedForAnother])
  func `a name is compared as well as an address`(_ kind: ServerKind) async throws {
    try await run(kind) { gate, _, trust in
      let failure = try await gate.knock(trust, host: "localhost")
      #expect(failure?.certificate?.defects == (kind == .issued ? nil : [.wrongHost]))
      #expect(failure?.certificate?.host == (kind == .issued ? nil : "localhost"))
    }
  }

  @Test
  func `a revoked certificate is refused when the authorities' file says so`() async throws {
    let authority = TestAuthority()
    let (good, bad) = (try authority.issue(), try authority.issue())
    try await withFolder { folder in
      let list = try PEMFiles.revocationList(of: authority.certificate, revoking: [bad])
      let file = "\(folder)/authority.pem"
      try write(authority.certificate.pem + list, to: file)
      try await Gate.run(LoopbackTLS(good)) { gate in
        #expect(try await gate.knock(.authorities(file: file)) == nil)
        gate.server.forgetRequests()
        try gate.server.present(LoopbackTLS(bad))
        try check(try await gate.knock(.authorities(file: file)), gate, bad, [.revoked])
      }
    }
  }

  @Test(arguments: ["/nonexistent/authorities.pem", "/dev/null"])
  func `authorities that cannot be read are a setting to correct`(_ path: String) async throws {
    try await run(.issued) { gate, _, _ in
      let failure = try await gate.knock(.authorities(file: path))
      #expect(failure?.error.code == .configurationInvalid)
      #expect(failure?.delivery == .notSent)
      #expect(gate.server.requests.isEmpty)
    }
  }

  @Test
  func `one account's exception is not another's`() async throws {
    try await run(.selfSigned) { gate, _, _ in
      let transport = CurlTransport.forTests()
      let shown = try #require(try await gate.knock(.system, with: transport)?.certificate)
      let trust = Trust(exceptions: [TrustException(accepting: shown)])
      // The same pool's name: the policy alone keeps the connections apart.
      #expect(try await gate.knock(trust, with: transport) == nil)
      let failure = try await gate.knock(.system, with: transport)
      #expect(failure?.error.code == .tlsUntrusted)
      #expect(gate.server.requests.count == 1)
    }
  }

  @Test
  func `over plain http trust changes nothing`() async throws {
    let key = try KeyHash("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
    try await Gate.run(nil) { gate in
      let exception = TrustException(
        host: "127.0.0.1", port: Int(gate.server.port), key: key, defects: [.selfSigned])
      let trust = Trust(
        authorities: .file("/nonexistent"), pins: [key], exceptions: [exception],
        client: ClientCertificate(certificate: "/nonexistent", key: "/nonexistent"))
      let failure = try await gate.knock(trust)
      #expect(failure == nil)
      #expect(gate.server.requests.count == 1)
      #expect(gate.server.connectionCount == 1)
    }
  }

  @Test
  func `a proxy over TLS must be trusted too, and is distinguished from the server`() async throws {
    try await run(.selfSigned) { gate, _, _ in
      let transport = CurlTransport(proxy: .url("https://127.0.0.1:\(gate.server.port)"))
      let failure = try await gate.knock(.system, host: "localhost", with: transport)
      #expect(failure?.error.code == .tlsUntrusted)
      #expect(failure?.delivery == .notSent)
      #expect(failure?.certificate == nil)
      #expect(failure?.error.message.contains("the proxy on the way") == true)
      #expect(failure?.error.message.contains("is self-signed") == true)
      #expect(gate.server.requests.isEmpty)
    }
  }

  @Test
  func `exceptions need a judge, which a proxy over TLS leaves no room for`() async throws {
    try await run(.selfSigned) { gate, certificate, _ in
      let exception = TrustException(
        host: "127.0.0.1", port: Int(gate.server.port), key: try certificate.keyHash,
        defects: [.selfSigned])
      let transport = CurlTransport(proxy: .url("https://127.0.0.1:\(gate.server.port)"))
      let failure = try await gate.knock(Trust(exceptions: [exception]), with: transport)
      #expect(failure?.error.code == .configurationInvalid)
      #expect(failure?.delivery == .notSent)
      #expect(gate.server.connectionCount == 0)
    }
  }
}
