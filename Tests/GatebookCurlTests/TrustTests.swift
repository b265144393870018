internal import GatebookAuthentication
internal import GatebookCurl
internal import GatebookEvents
internal import Testing

@Suite(.timeLimit(.minutes(1)), .enabled(if: TLSPeer.isAvailable))
struct TrustTests {
  private func outcome(
    _ peer: TLSPeer, _ trust: Trust
  ) async throws -> TransportFailure? {
    let url = try #require(HTTPURL("https://127.0.0.1:\(peer.port)/?token=secret"))
    return await CurlTransport.forTests().failure(
      of: HTTPRequest("POST", url), through: Route(pool: "ada", trust: trust))
  }

  @Test
  func `a certificate that nobody vouches for is not trusted, and nothing was sent`() async throws {
    let failure = try await TLSPeer.run(name: "IP:127.0.0.1") { try await outcome($0, .system) }
    #expect(failure?.error.code == .tlsUntrusted)
    #expect(failure?.delivery == .notSent)
    #expect(failure?.error.description.contains("secret") == false)
  }

  @Test
  func `an account's own authority is trusted`() async throws {
    try await TLSPeer.run(name: "IP:127.0.0.1") { peer in
      let url = try #require(HTTPURL("https://127.0.0.1:\(peer.port)/"))
      let route = Route(pool: "ada", trust: .authorities(file: peer.certificate))
      #expect(try await CurlTransport.forTests().send(.get(url), through: route).status == 200)
      // And only for that account.
      #expect(try await outcome(peer, .system)?.error.code == .tlsUntrusted)
    }
  }

  @Test
  func `a trusted certificate for another name is refused`() async throws {
    let failure = try await TLSPeer.run(name: "DNS:other.example") {
      try await outcome($0, .authorities(file: $0.certificate))
    }
    #expect(failure?.error.code == .tlsUntrusted)
    #expect(failure?.delivery == .notSent)
  }

  @Test
  func `an account's own authorities replace the machine's`() async throws {
    let failure = try await TLSPeer.run(name: "IP:127.0.0.1") { peer in
      try await TLSPeer.run(name: "IP:127.0.0.1") {
        try await outcome(peer, .authorities(file: $0.certificate))
      }
    }
    #expect(failure?.error.code == .tlsUntrusted)
  }

  @Test
  func `authorities that cannot be read are a setting to correct`() async throws {
    let failure = try await TLSPeer.run(name: "IP:127.0.0.1") {
      try await outcome($0, .authorities(file: "/nonexistent/authorities.pem"))
    }
    #expect(failure?.error.code == .configurationInvalid)
    #expect(failure?.delivery == .notSent)
  }
}
