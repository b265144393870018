import Gatebook
import GatebookTestSupport
import Testing

@Suite struct DoublesTests {
  @Test func `a fixed clock moves only when told`() {
    let clock = FixedClock()
    let start = clock.now()
    #expect(clock.now() == start)
    clock.advance(by: .seconds(2))
    let now = clock.now()
    #expect((now.wall - start.wall, now.boot - start.boot) == (.seconds(2), .seconds(2)))
    clock.jump(by: .seconds(-10))
    #expect(clock.now().wall == start.wall - .seconds(8))
    #expect(clock.now().boot == start.boot + .seconds(2))
    clock.set(start)
    #expect(clock.now() == start)
  }

  @Test func `seeded bytes repeat from run to run, never within one`() {
    let (first, second) = (SeededRandom(seed: 7), SeededRandom(seed: 7))
    let bytes = first.bytes(64)
    #expect(bytes.count == 64)
    #expect(bytes == second.bytes(64))
    #expect(bytes != first.bytes(64))
    #expect(bytes != SeededRandom(seed: 8).bytes(64))
    #expect(first.bytes(0).isEmpty)
  }

  @Test func `a scripted transport answers in order and records what it was asked`() async throws {
    let failure = TransportFailure(
      GatebookError(.networkUnreachable, "Down.", remedy: "Wait."), delivery: .maybeSent)
    let transport = ScriptedTransport([.success(HTTPReply(status: 201)), .failure(failure)])
    let url = try #require(HTTPURL("http://portal.example.test/a"))
    let route = Route(pool: "one")
    #expect(try await transport.send(.get(url), through: route).status == 201)
    await #expect(throws: failure) { try await transport.send(.get(url), through: route) }
    let exhausted = await #expect(throws: TransportFailure.self) {
      try await transport.send(.get(url), through: route)
    }
    #expect(exhausted?.delivery == .notSent)
    #expect(transport.requests.map(\.url) == [url, url, url])
    #expect(transport.calls.map(\.route.pool) == ["one", "one", "one"])
  }

  @Test func `a script may look at the request`() async throws {
    let transport = ScriptedTransport { request, _ in HTTPReply(status: request.body.count) }
    let url = try #require(HTTPURL("http://portal.example.test/a"))
    let request = HTTPRequest("POST", url, body: [1, 2])
    #expect(try await transport.send(request, through: Route(pool: "a")).status == 2)
  }
}
