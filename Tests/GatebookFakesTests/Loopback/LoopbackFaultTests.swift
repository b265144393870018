import GatebookFakes
import Testing

@Suite struct LoopbackFaultTests {
  private let server: LoopbackServer
  private let acted = Tally()
  private let waited = Tally()

  init() throws {
    let (acted, waited) = (acted, waited)
    server = try LoopbackServer(
      wait: { waited.add(Int($0.components.seconds)) },
      handler: { _ in
        acted.add(1)
        return .text("0123456789")
      })
    try server.start()
  }

  private func ask(_ target: String = "/") -> Answer? {
    RawClient.ask(server.port, "GET", target)
  }

  @Test(arguments: [(true, 0), (false, 1)])
  func `a drop comes before or after the handler acted`(_ isBefore: Bool, _ count: Int) {
    server.inject(isBefore ? .dropBeforeActing : .dropAfterActing)
    #expect(ask() == nil)
    #expect(acted.sum == count)
    #expect(server.requests.count == 1)
    #expect(ask()?.status == 200)
  }

  @Test(arguments: [(true, 0), (false, 1)])
  func `a stall comes before or after the handler acted`(
    _ isBefore: Bool, _ count: Int
  ) async throws {
    server.inject(isBefore ? .stallBeforeActing : .stallAfterActing)
    let client = try #require(RawClient(server.port))
    client.send("GET / HTTP/1.1\r\n\r\n")
    _ = await server.requests(atLeast: 1)
    server.stop()
    #expect(client.readToEnd().isEmpty)
    #expect(acted.sum == count)
  }

  @Test func `a delay asks the given wait and nobody sleeps`() {
    server.inject(.delay(.seconds(3600)))
    #expect(ask()?.status == 200)
    #expect(waited.sum == 3600)
  }

  @Test func `an answer in place of the handler, and an altered one`() {
    server.inject(.answer { .text("no \($0.path)", status: 503) })
    server.inject(.alter { $0.with("X-Spoilt", "yes") })
    #expect(ask("/x")?.text == "no /x")
    #expect(acted.sum == 0)
    #expect(ask()?["X-Spoilt"] == "yes")
    #expect(acted.sum == 1)
  }

  @Test func `faults keep to their path, their count and their order`() {
    server.inject(.answer { _ in .text("a", status: 500) }, on: "/a", times: 2)
    server.inject(.answer { _ in .text("b", status: 503) }, on: "/a")
    server.inject(.answer { _ in .text("c", status: 429) }, on: "/below/*", times: nil)
    #expect(ask("/")?.status == 200)
    #expect((1...4).map { _ in ask("/a?q")?.status } == [500, 500, 503, 200])
    #expect(["/below/1", "/below/2/3", "/below"].map { ask($0)?.status } == [429, 429, 200])
    server.clearFaults()
    #expect(ask("/below/1")?.status == 200)
  }

  @Test func `a truncated body ends the connection early`() {
    server.inject(.truncate(after: 3))
    #expect(ask() == nil)
    #expect(acted.sum == 1)
  }
}
