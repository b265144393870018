internal import GatebookAuthentication
internal import Testing

@testable internal import GatebookCurl

@Suite(.timeLimit(.minutes(10)))
struct RouteTests {
  @Test
  func `one route reuses its connection, two never share one`() async throws {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      let transport = CurlTransport.forTests()
      let other = Route(
        pool: "ada", trust: .authorities(file: "/etc/ssl/certs/ca-certificates.crt"))
      for route in [Route.ada, .bob, .ada, .bob, other, .ada, other] {
        let request = HTTPRequest(
          "GET", try peer.url(), fields: [HTTPField("X-Route", "\(route)")])
        _ = try await transport.send(request, through: route)
      }
      #expect(peer.journal.requests.map(\.connection) == [0, 1, 0, 1, 2, 0, 2])
      #expect(peer.journal.connections == 3)
    }
  }

  @Test
  func `routes do not share connections under load either`() async throws {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      let transport = CurlTransport.forTests()
      let url = try peer.url()
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<96 {
          let name = "r\(number % 3)"
          let request = HTTPRequest("GET", url, fields: [HTTPField("X-Route", name)])
          group.addTask {
            #expect(await transport.failure(of: request, through: Route(pool: name)) == nil)
          }
        }
      }
      let users = Dictionary(grouping: peer.journal.requests, by: \.connection)
      for requests in users.values {
        #expect(Set(requests.map { $0.lines.filter { $0.hasPrefix("X-Route") } }).count == 1)
      }
      #expect(peer.journal.requests.count == 96)
    }
  }

  @Test
  func `the connections of the route used longest ago are closed beyond the limit`() async throws {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      let transport = CurlTransport(CurlSettings(userAgent: nil, proxy: .none, pools: 2))
      let request = HTTPRequest.get(try peer.url())
      for name in ["a", "b", "a", "c"] {
        _ = try await transport.send(request, through: Route(pool: name))
      }
      await peer.journal.waitForClose(of: 1)
      _ = try await transport.send(request, through: Route(pool: "a"))
      #expect(peer.journal.requests.map(\.connection) == [0, 1, 0, 2, 0])
    }
  }

  @Test
  func `idle connections close after a while, and the next request opens a new one`() async throws {
    try await RawPeer.run(RawPeer.answering(empty)) { peer in
      let transport = CurlTransport(
        CurlSettings(userAgent: nil, proxy: .none, quiet: .milliseconds(50)))
      let request = HTTPRequest.get(try peer.url())
      _ = try await transport.send(request, through: .ada)
      await peer.journal.waitForClose(of: 0)
      _ = try await transport.send(request, through: .ada)
      #expect(peer.journal.requests.map(\.connection) == [0, 1])
    }
  }
}
