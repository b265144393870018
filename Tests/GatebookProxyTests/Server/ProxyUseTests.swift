import Gatebook
import GatebookProxy
import GatebookSystem
import GatebookTestSupport
import Testing

/// Who used a proxy, as the system tells it.
@Suite(.timeLimit(.minutes(2)))
struct ProxyUseTests {
  private static let last = "GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
  private static let delete = last.replacing("GET", with: "DELETE")

  @Test(arguments: [true, false])
  func `requests are counted for the program, also at a port`(_ isLocal: Bool) async throws {
    let told = Locked<[ProxyUse]>([])
    let heard = Locked<[AskingProgram?]>([])
    let arrived = Tally()
    let stage = try ProxyStage(
      isLocal: isLocal,
      changing: { settings in
        settings.rules.isReadOnly = true
        settings.refused = { _, program in heard.withLock { $0.append(program) } }
        settings.used = { use in
          told.withLock { $0.append(use) }
          arrived.add()
        }
      }, Upstream.hello)
    let own = try #require(LocalSocket.Peer.name(of: ThisProcess.id))
    for text in [Self.last, Self.last, Self.delete] { _ = try await stage.answer(to: text) }
    let program = AskingProgram(process: ThisProcess.id, name: own)
    #expect(heard.withLock { $0 } == [program])
    #expect(told.withLock { $0 }.isEmpty)
    // A minute later the proxy tells it, with what came meanwhile, and then no more until the end.
    try stage.advance(by: .seconds(61))
    await arrived.reaches(1)
    let first = try #require(told.withLock { $0 }.first)
    #expect((first.forwarded, first.refused) == (2, 1))
    #expect(first.programs[own]?.forwarded == 2)
    #expect(first.programs[own]?.refused == 1)
    #expect(first.programs[own]?.process == Int64(ThisProcess.id))
    _ = try await stage.answer(to: Self.last)
    stage.server.end()
    await stage.server.ended()
    #expect(told.withLock { $0 }.count == 1)
    #expect(stage.server.counts.unrecorded.forwarded == 1)
    #expect(stage.server.counts.unrecorded.programs[own]?.forwarded == 1)
    #expect(stage.server.counts.forwarded == 3)
  }

  @Test func `the other side of a port's connection is found by its process`() throws {
    let listener = try #require(Sockets.listen(isIPv6: false, port: 0))
    defer { FileDescriptor.close(listener.socket) }
    var search = ConnectedProcesses()
    for _ in 0..<3 {
      let client = try #require(Sockets.connected(to: listener.port, waitingAtMost: 5))
      var accepted: Int32?
      while accepted == nil { accepted = Sockets.accept(listener.socket) }
      let socket = try #require(accepted)
      let found = search.owner(of: socket)
      let owner = try #require(found)
      #expect(owner.process == ThisProcess.id)
      #expect(owner.isOwn)
      FileDescriptor.close(client)
      let gone = search.owner(of: socket)
      #expect(gone == nil)
      FileDescriptor.close(socket)
    }
    let pair = try #require(Pipe())
    let none = search.owner(of: pair.input)
    #expect(none == nil, "it is no connection")
    FileDescriptor.close(pair.input)
    FileDescriptor.close(pair.output)
  }
}
