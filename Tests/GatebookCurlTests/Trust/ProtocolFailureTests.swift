internal import GatebookAuthentication
internal import GatebookCurl
internal import GatebookEvents
internal import Testing

@Suite(.timeLimit(.minutes(10)))
struct ProtocolFailureTests {
  private func failure(_ script: @escaping RawPeer.Script) async throws -> TransportFailure? {
    try await RawPeer.run(script) { peer in
      await CurlTransport.forTests().failure(of: .get(try peer.url(scheme: "https")))
    }
  }

  @Test
  func `a server that does not speak TLS is not trusted`() async throws {
    let failure = try await failure { connection in
      connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      connection.readUntilClose()
    }
    #expect(failure?.error.code == .tlsUntrusted)
    #expect(failure?.delivery == .notSent)
    #expect(failure?.certificate == nil)
  }

  @Test
  func `a server's alert is named`() async throws {
    let failure = try await failure { connection in
      // RFC 8446 section 5.1: an alert of TLS 1.2, fatal, protocol_version.
      _ = connection.send([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 70])
      connection.readUntilClose()
    }
    #expect(failure?.error.code == .tlsUntrusted)
    #expect(failure?.error.serverCode == "protocol_version")
    #expect(failure?.delivery == .notSent)
  }

  @Test
  func `a connection that breaks within the handshake is the network's fault`() async throws {
    let failure = try await failure { _ in }
    #expect(failure?.error.code == .networkUnreachable)
    #expect(failure?.delivery == .notSent)
  }
}
