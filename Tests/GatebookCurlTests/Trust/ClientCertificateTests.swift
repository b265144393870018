internal import GatebookAuthentication
internal import GatebookCurl
internal import GatebookEvents
internal import GatebookFakes
internal import Testing

@Suite(.timeLimit(.minutes(10)))
struct ClientCertificateTests {
  /// A server that knows one authority's clients, and that authority with a folder for files.
  private func run(
    _ version: LoopbackTLS.Version,
    _ body: (Gate, Trust, TestAuthority, String) async throws -> Void
  ) async throws {
    let authority = TestAuthority()
    let tls = LoopbackTLS(
      try authority.issue(), clientCertificates: .required(of: [authority.certificate]),
      newestVersion: version)
    try await withFolder { folder in
      let files = try authority.certificate.write(to: folder, as: "authority")
      try await Gate.run(tls) { try await body($0, .authority(files), authority, folder) }
    }
  }

  private func client(_ certificate: TestCertificate, _ folder: String) throws -> ClientCertificate
  {
    let files = try certificate.write(to: folder, as: "client")
    return ClientCertificate(certificate: files.certificate, key: files.key)
  }

  @Test(arguments: LoopbackTLS.Version.allCases)
  func `the account's certificate is shown`(_ version: LoopbackTLS.Version) async throws {
    try await run(version) { gate, trust, authority, folder in
      let certificate = authority.issueClient("ada")
      var trust = trust
      trust.client = try client(certificate, folder)
      #expect(try await gate.knock(trust) == nil)
      #expect(gate.server.requests.map(\.clientPin) == [certificate.pin])
    }
  }

  @Test(arguments: LoopbackTLS.Version.allCases)
  func `a missing certificate is named as the reason`(
    _ version: LoopbackTLS.Version
  ) async throws {
    try await run(version) { gate, trust, _, _ in
      let failure = try await gate.knock(trust)
      #expect(failure?.error.code == .tlsUntrusted)
      #expect(failure?.error.description.contains("client certificate") == true)
      #expect(
        failure?.error.serverCode
          == (version == .tls13 ? "certificate_required" : "handshake_failure"))
      // With TLS 1.3 the request is on its way before the server says no, which reads none of it.
      #expect(failure?.delivery == .notSent)
      #expect(failure?.error.fault == "client.missing")
      #expect(failure?.certificate == nil)
      #expect(gate.server.requests.isEmpty)
    }
  }

  @Test(arguments: LoopbackTLS.Version.allCases, [LoopbackReply.Delivery.dropped, .reset])
  func `a server that asks for one and breaks off may want one`(
    _ version: LoopbackTLS.Version, _ delivery: LoopbackReply.Delivery
  ) async throws {
    let authority = TestAuthority()
    let tls = LoopbackTLS(
      try authority.issue(), clientCertificates: .requested(of: [authority.certificate]),
      newestVersion: version)
    try await withFolder { folder in
      let files = try authority.certificate.write(to: folder, as: "authority")
      var trust = Trust.authority(files)
      let server = try LoopbackServer(tls: tls) { _ in
        var reply = LoopbackReply.text("")
        reply.delivery = delivery
        return reply
      }
      try server.start()
      defer { server.stop() }
      let gate = Gate(server: server)
      let failure = try await gate.knock(trust)
      #expect(failure?.error.code == .networkUnreachable)
      #expect(failure?.error.fault == "answer.client")
      #expect(failure?.delivery == .maybeSent)
      // Who has shown one hears of the network alone.
      trust.client = try client(authority.issueClient("ada"), folder)
      #expect(try await gate.knock(trust)?.error.fault == "answer.cut")
    }
  }

  @Test(arguments: LoopbackTLS.Version.allCases, [true, false])
  func `a certificate that the server does not take is named as the reason`(
    _ version: LoopbackTLS.Version, _ isStranger: Bool
  ) async throws {
    try await run(version) { gate, trust, authority, folder in
      var trust = trust
      trust.client = try client(
        isStranger
          ? TestAuthority("Stranger").issueClient("ada")
          : authority.issueClient("ada", validity: .expired), folder)
      let failure = try await gate.knock(trust)
      #expect(failure?.error.code == .tlsUntrusted)
      #expect(failure?.error.message.contains("refused the client certificate") == true)
      #expect(failure?.error.serverCode == (isStranger ? "unknown_ca" : "certificate_expired"))
      #expect(gate.server.requests.isEmpty)
    }
  }

  @Test
  func `a server that is not trusted sees no client certificate`() async throws {
    try await run(.tls13) { gate, _, authority, folder in
      let client = try client(authority.issueClient("ada"), folder)
      let failure = try await gate.knock(Trust(client: client))
      #expect(failure?.error.code == .tlsUntrusted)
      #expect(failure?.certificate?.defects == [.unknownAuthority])
      #expect(gate.server.handshakes.allSatisfy { $0.clientPin == nil })
    }
  }

  @Test(arguments: ["certificate", "key", "noCertificate", "noKey", "otherKey", "encryptedKey"])
  func `files that are of no use are named`(_ kind: String) async throws {
    try await run(.tls13) { gate, trust, authority, folder in
      let certificate = authority.issueClient("ada")
      let other = authority.issueClient("bob")
      let (good, bad) = (try client(certificate, folder), "\(folder)/bad.pem")
      switch kind {
      case "noCertificate": try write("no PEM\n", to: bad)
      case "noKey": try write(certificate.pem, to: bad)
      case "otherKey": try write(other.keyPEM, to: bad)
      case "encryptedKey": try write(PEMFiles.encryptedKey(of: certificate, "secret"), to: bad)
      default: break
      }
      var trust = trust
      trust.client =
        kind.lowercased().hasSuffix("certificate")
        ? ClientCertificate(certificate: bad, key: good.key)
        : ClientCertificate(certificate: good.certificate, key: bad)
      let failure = try await gate.knock(trust)
      #expect(failure?.error.code == .configurationInvalid)
      #expect(failure?.delivery == .notSent)
      #expect(failure?.error.message.contains(bad) == true)
      let expected = [
        "certificate": "cannot be read", "key": "cannot be read", "noCertificate": "no certificate",
        "noKey": "no private key", "otherKey": "does not fit", "encryptedKey": "is encrypted",
      ]
      #expect(failure?.error.message.contains(expected[kind] ?? "-") == true)
      #expect(gate.server.requests.isEmpty)
    }
  }
}
