internal import GatebookAuthentication
internal import Testing

/// Requests that overlap: counts are unique, and each reply is judged by its own request.
struct HTTPAuthorizerConcurrencyTests {
  /// An authorizer shared as a book shares it.
  private actor Client {
    var client: AuthorizedClient

    init(_ client: AuthorizedClient) {
      self.client = client
    }

    func begin() throws -> HTTPAttempt { try client.begin() }

    func take(
      _ reply: HTTPReply, to attempt: HTTPAttempt
    ) -> (next: HTTPAttempt?, ending: String) {
      client.take(reply, to: attempt)
    }

    var answers: [String] { client.answers }
  }

  /// A server that takes one request at a time.
  private actor Server {
    var server = DigestServer()
    private var requests = 0

    func reply(to request: HTTPRequest) -> HTTPReply {
      requests += 1
      // The nonce is replaced twice while other requests with the former one are on their way. Of
      // the first 49 requests at least 9 are answers with the first nonce, in whatever order they
      // come: some request always ends well.
      if requests == 50 { server.nonce = "n2" }
      server.nextNonce = requests == 60 ? "n3" : nil
      return server.reply(to: request)
    }

    var uses: [String] { server.uses }
  }

  @Test func `no nonce is sent twice with one count`() async throws {
    let client = Client(try AuthorizedClient())
    let server = Server()
    let endings = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<40 {
        group.addTask {
          var attempt = try await client.begin()
          while true {
            let reply = await server.reply(to: attempt.request)
            let outcome = await client.take(reply, to: attempt)
            guard let next = outcome.next else { return outcome.ending }
            attempt = next
          }
        }
      }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    let answers = await client.answers.filter { $0 != "-" }
    #expect(Set(answers).count == answers.count)
    // A request may lose its race against two changes of the nonce; none is ever refused.
    #expect(Set(endings).isSubset(of: ["final 200", "stale"]))
    #expect(endings.contains("final 200"))
    #expect(await !server.uses.isEmpty)
  }

  @Test func `replies are judged by their own requests in any order`() throws {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      var client = try AuthorizedClient()
      var server = DigestServer()
      _ = try client.send { server.reply(to: $0) }
      let attempts = try (0..<3).map { _ in try client.begin() }
      let replies = attempts.map { server.reply(to: $0.request) }
      for index in order {
        #expect(client.take(replies[index], to: attempts[index]).ending == "final 200")
      }
      #expect(client.take(replies[0], to: attempts[1]).ending == "untrusted")
    }
  }

  @Test func `a nonce announced to one request breaks no other`() throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    _ = try client.send { server.reply(to: $0) }
    let first = try client.begin()
    let second = try client.begin()
    var other = server
    server.nextNonce = "n2"
    other.nextNonce = "late"
    let replies = [server.reply(to: first.request), other.reply(to: second.request)]
    #expect(client.take(replies[0], to: first).ending == "final 200")
    #expect(client.take(replies[1], to: second).ending == "final 200")
    let third = try client.begin()
    #expect(client.answers.last == "n2 00000001")
    #expect(client.take(server.reply(to: third.request), to: third).ending == "final 200")
  }

  @Test func `requests that are challenged together share a nonce`() throws {
    for algorithm in ["SHA-256", "SHA-256-sess"] {
      var client = try AuthorizedClient()
      var server = DigestServer()
      server.algorithm = algorithm
      let attempts = try (0..<3).map { _ in try client.begin() }
      let next = try attempts.map { attempt in
        try #require(client.take(server.challenge(), to: attempt).next)
      }
      for attempt in next {
        #expect(client.take(server.reply(to: attempt.request), to: attempt).ending == "final 200")
      }
      #expect(client.answers.suffix(3) == ["n1 00000001", "n1 00000002", "n1 00000003"])
    }
  }

  @Test func `requests whose nonce got stale together continue with the new one`() throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    _ = try client.send { server.reply(to: $0) }
    let attempts = try (0..<3).map { _ in try client.begin() }
    server.nonce = "n2"
    for attempt in attempts {
      let next = try #require(client.take(server.reply(to: attempt.request), to: attempt).next)
      #expect(client.take(server.reply(to: next.request), to: next).ending == "final 200")
    }
    #expect(server.uses.suffix(3) == ["n2 00000001", "n2 00000002", "n2 00000003"])
  }
}
