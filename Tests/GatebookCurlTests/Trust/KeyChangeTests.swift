internal import GatebookAuthentication
internal import GatebookCurl
internal import GatebookEvents
internal import GatebookFakes
internal import Testing

@Suite(.timeLimit(.minutes(10)))
struct KeyChangeTests {
  /// What an account does that met the server and accepted what it showed.
  private func accepting(_ gate: Gate) async throws -> Trust {
    let shown = try #require(try await gate.knock(.system)?.certificate)
    return Trust(exceptions: [TrustException(accepting: shown)])
  }

  private func check(
    _ failure: TransportFailure?, _ gate: Gate, _ certificate: TestCertificate
  ) throws {
    #expect(failure?.error.code == .tlsKeyChanged)
    #expect(failure?.delivery == .notSent)
    #expect(failure?.certificate?.key == (try certificate.keyHash))
    #expect(failure?.error.description.contains("secret") == false)
    #expect(gate.server.requests.isEmpty)
  }

  @Test
  func `another key on the accepted host is refused as changed`() async throws {
    let other = try TestCertificate.selfSigned()
    try await Gate.run(LoopbackTLS(.selfSigned())) { gate in
      let trust = try await accepting(gate)
      try gate.server.present(LoopbackTLS(other))
      let failure = try await gate.knock(trust)
      try check(failure, gate, other)
      #expect(failure?.certificate?.defects == [.selfSigned])
    }
  }

  @Test
  func `an accepted key is judged again on every connection`() async throws {
    let other = try TestCertificate.selfSigned()
    try await Gate.run(LoopbackTLS(.selfSigned())) { gate in
      let transport = CurlTransport.forTests()
      let trust = try await accepting(gate)
      #expect(try await gate.knock(trust, with: transport) == nil)
      gate.server.forgetRequests()
      try gate.server.present(LoopbackTLS(other))
      // A POST takes a fresh connection, so it meets the other key.
      try check(try await gate.knock(trust, with: transport), gate, other)
    }
  }

  @Test
  func `a renewed certificate of the accepted key passes`() async throws {
    let first = try TestCertificate.selfSigned()
    try await Gate.run(LoopbackTLS(first)) { gate in
      let trust = try await accepting(gate)
      try gate.server.present(LoopbackTLS(.selfSigned(keyOf: first)))
      #expect(try await gate.knock(trust) == nil)
    }
  }

  @Test(arguments: [true, false])
  func `a new defect of the accepted key is refused`(_ isName: Bool) async throws {
    let first = try TestCertificate.selfSigned()
    try await Gate.run(LoopbackTLS(first)) { gate in
      let trust = try await accepting(gate)
      try gate.server.present(
        LoopbackTLS(
          isName
            ? .selfSigned(TestCertificate.elsewhere, keyOf: first)
            : .selfSigned(validity: .expired, keyOf: first)))
      let failure = try await gate.knock(trust)
      #expect(failure?.error.code == .tlsUntrusted)
      #expect(failure?.certificate?.defects == [.selfSigned, isName ? .wrongHost : .expired])
      #expect(gate.server.requests.isEmpty)
    }
  }

  @Test
  func `another key is refused also when a trusted authority has signed it`() async throws {
    let authority = TestAuthority()
    let issued = try authority.issue()
    try await withFolder { folder in
      let files = try authority.certificate.write(to: folder, as: "authority")
      try await Gate.run(LoopbackTLS(.selfSigned())) { gate in
        var trust = try await accepting(gate)
        trust.authorities = .file(files.certificate)
        try gate.server.present(LoopbackTLS(issued))
        try check(try await gate.knock(trust), gate, issued)
      }
    }
  }

  @Test
  func `a pinned key passes, any other is refused although its certificate is good`() async throws {
    let authority = TestAuthority()
    let (first, second) = (try authority.issue(), try authority.issue())
    try await withFolder { folder in
      let files = try authority.certificate.write(to: folder, as: "authority")
      var trust = Trust.authority(files)
      trust.pins = [try authority.certificate.keyHash, try first.keyHash]
      try await Gate.run(LoopbackTLS(first)) { gate in
        #expect(try await gate.knock(trust) == nil)
        gate.server.forgetRequests()
        try gate.server.present(LoopbackTLS(second))
        // The authority's own key is pinned too, but only the server's counts.
        try check(try await gate.knock(trust), gate, second)
      }
    }
  }

  @Test(arguments: [ServerKind.selfSigned, .selfSignedForAnother, .issuedAndExpired])
  func `a pin excuses no defect`(_ kind: ServerKind) async throws {
    let certificate = try kind.certificate(TestAuthority())
    try await Gate.run(LoopbackTLS(certificate)) { gate in
      let failure = try await gate.knock(Trust(pins: [try certificate.keyHash]))
      #expect(failure?.error.code == .tlsUntrusted)
      #expect(failure?.certificate?.defects == kind.defectsForStrangers)
      #expect(gate.server.requests.isEmpty)
    }
  }
}
