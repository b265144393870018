internal import GatebookAuthentication
internal import GatebookCurl
internal import GatebookEvents
internal import Testing

@Suite(.timeLimit(.minutes(10)))
struct RefusalTests {
  private func refusal(
    _ transport: CurlTransport = .forTests(), _ change: (inout HTTPRequest) -> Void
  ) async throws -> TransportFailure? {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      var request = HTTPRequest.get(try peer.url())
      change(&request)
      let failure = await transport.failure(of: request)
      #expect(peer.journal.connections == 0)
      return failure
    }
  }

  @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", "\u{7f}", "\u{1}"])
  func `a field's value cannot start another line`(_ value: String) async throws {
    let failure = try await refusal { $0.fields = [HTTPField("X-A", value)] }
    #expect(failure?.error.code == .configurationInvalid)
    #expect(failure?.delivery == .notSent)
    #expect(failure?.error.description.contains(value) == false)
  }

  @Test(arguments: ["", "X A", "X:A", "X\r\nY", "X\0", "Ü", "X;"])
  func `a field's name is a token`(_ name: String) async throws {
    let failure = try await refusal { $0.fields = [HTTPField(name, "1")] }
    #expect(failure?.error.code == .configurationInvalid)
    #expect(failure?.delivery == .notSent)
  }

  @Test(arguments: ["Host", "content-length", "Transfer-Encoding", "Expect", "UPGRADE"])
  func `fields that frame the message cannot be set`(_ name: String) async throws {
    let failure = try await refusal { $0.fields = [HTTPField(name, "1")] }
    #expect(failure?.error.code == .configurationInvalid)
    #expect(failure?.delivery == .notSent)
  }

  @Test(arguments: ["", "GET ", "GET / HTTP/1.1\r\nX: 1\r\n\r\n", "G\0T", "CONNECT"])
  func `the method is a token and opens no tunnel`(_ method: String) async throws {
    let failure = try await refusal { $0.method = method }
    #expect(failure?.error.code == .configurationInvalid)
    #expect(failure?.delivery == .notSent)
  }

  @Test
  func `a HEAD request has no body`() async throws {
    let failure = try await refusal {
      $0.method = "HEAD"
      $0.body = [1]
    }
    #expect(failure?.error.code == .configurationInvalid)
  }

  @Test
  func `the transport's own name cannot start another line`() async throws {
    let failure = try await refusal(CurlTransport(userAgent: "a\r\nX: 1")) { _ in }
    #expect(failure?.error.code == .configurationInvalid)
  }
}
