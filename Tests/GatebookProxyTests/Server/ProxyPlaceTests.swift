import Gatebook
import GatebookProxy
import GatebookSystem
import Testing

struct ProxyPlaceTests {
  private func folder(_ body: (String) throws -> Void) throws {
    let folder = try #require(Files.makeTemporaryFolder(named: "gatebook-place"))
    defer {
      for name in ["s", "in/s"] { Files.remove("\(folder)/\(name)") }
      Files.removeFolder("\(folder)/in")
      Files.removeFolder(folder)
    }
    try body(folder)
  }

  @Test func `a socket is for this user alone, in a folder for this user alone`() throws {
    try folder { folder in
      let path = "\(folder)/in/s"
      _ = try ProxyPlace.socket(at: path)
      #expect(FileStatus(of: path).map { $0.mode & 0o777 } == 0o600)
      #expect(FileStatus(of: "\(folder)/in").map { $0.mode & 0o777 } == 0o700)
      let peer = try #require(LocalSocket.connected(to: path))
      defer { FileDescriptor.close(peer) }
      #expect(LocalSocket.peer(of: peer)?.process == ThisProcess.id)
      #expect(LocalSocket.peer(of: peer)?.isOwn == true)
    }
  }

  @Test func `a socket that is in use stays, and one that nobody listens at is replaced`() throws {
    try folder { folder in
      let path = "\(folder)/s"
      let first = try ProxyPlace.socket(at: path)
      #expect(throws: GatebookError.self) { try ProxyPlace.socket(at: path) }
      first.close(keepingPath: true)
      #expect(Files.exists(path))
      let second = try ProxyPlace.socket(at: path)
      second.close()
      #expect(!Files.exists(path))
      let third = try ProxyPlace.socket(at: path)
      Files.remove(path)
      let file = try #require(OpenFile.open(path, .new, mode: 0o600))
      third.close()
      #expect(FileStatus(file.descriptor)?.links == 1, "another's file was removed")
    }
  }

  @Test func `of many proxies that want the same socket at once one gets it`() async throws {
    let folder = try #require(Files.makeTemporaryFolder(named: "gatebook-place"))
    let path = "\(folder)/s"
    defer {
      Files.remove(path)
      Files.removeFolder(folder)
    }
    for _ in 1...50 {
      // What a proxy left that was killed.
      try ProxyPlace.socket(at: path).close(keepingPath: true)
      let places = await withTaskGroup(of: ProxyPlace?.self) { group in
        for _ in 1...8 { group.addTask { try? ProxyPlace.socket(at: path) } }
        return await group.reduce(into: [ProxyPlace]()) { all, one in
          if let one { all.append(one) }
        }
      }
      #expect(places.count == 1)
      #expect(LocalSocket.answers(at: path))
      for place in places { place.close() }
    }
  }

  @Test func `what is no socket stays, and a folder that others can enter is refused`() throws {
    try folder { folder in
      let file = try #require(OpenFile.open("\(folder)/s", .new, mode: 0o600))
      #expect(throws: GatebookError.self) { try ProxyPlace.socket(at: "\(folder)/s") }
      #expect(FileStatus(file.descriptor)?.links == 1)
    }
    for path in [
      "/tmp/gatebook-test-socket", "/proc/none/s", "/s\(String(repeating: "a", count: 107))", "",
    ] {
      #expect(throws: GatebookError.self, "\(path)") { try ProxyPlace.socket(at: path) }
      #expect(!Files.exists(path))
    }
  }

  @Test func `a port that is in use is refused`() throws {
    let first = try ProxyPlace.port(0)
    defer { first.close() }
    let port = try #require(first.port)
    #expect(throws: GatebookError.self) { try ProxyPlace.port(port) }
  }
}
