import Gatebook
import GatebookProxy
import GatebookSystem
import GatebookTestSupport
import Testing

/// A proxy at a socket and a port of its own, in front of a server that a test plays.
final class ProxyStage {
  let server: ProxyServer
  let place: ProxyPlace
  let clock = FixedClock()
  let upstream: Upstream
  private let folder: String?

  /// Starts a proxy.
  ///
  /// - Parameters:
  ///   - isLocal: Whether at a Unix socket instead of a port.
  ///   - change: Changes the settings.
  ///   - answer: Plays the server.
  /// - Throws: Without a place to serve at.
  init(
    isLocal: Bool = true, changing change: (inout ProxySettings) -> Void,
    _ answer: @escaping Upstream.Answer
  ) throws {
    let upstream = Upstream(answer)
    self.upstream = upstream
    var settings = ProxySettings(
      ProxyRules(to: Origin(scheme: "https", host: "api.example", port: 443)), clock: clock
    ) { request throws(GatebookError) in
      try await upstream.send(request)
    }
    change(&settings)
    if isLocal {
      let folder = try #require(Files.makeTemporaryFolder(named: "gatebook-proxy"))
      self.folder = folder
      place = try .socket(at: "\(folder)/s")
    } else {
      folder = nil
      place = try .port(0)
    }
    server = try ProxyServer(at: place, settings)
  }

  /// Starts a proxy with the usual settings.
  convenience init(
    isLocal: Bool = true,
    _ answer: @escaping Upstream.Answer = Upstream.hello
  ) throws {
    try self.init(isLocal: isLocal, changing: { _ in }, answer)
  }

  deinit {
    server.end()
    if let folder {
      Files.remove("\(folder)/s")
      Files.removeFolder(folder)
    }
  }

  /// A connection to it.
  func client() throws -> RawClient {
    if let path = place.path {
      return try #require(RawClient(LocalSocket.connected(to: path)))
    }
    return try #require(
      RawClient(Sockets.connected(to: place.port ?? 0, waitingAtMost: 20)))
  }

  /// Sends a text on a connection of its own, and receives the answer to the end.
  func answer(to text: String) async throws -> String {
    let client = try client()
    client.send(text)
    return await client.receive()
  }

  /// Lets time pass for the proxy, which a new connection wakes to see it.
  func advance(by duration: Duration) throws {
    clock.advance(by: duration)
    _ = try client()
  }
}

/// The server behind a proxy, as a book would reach it.
final class Upstream: Sendable {
  /// Answers a request whose body is in memory.
  typealias Answer = @Sendable (HTTPRequest) async throws(GatebookError) -> HTTPReply

  private let answer: Answer
  private let seen = Locked<[HTTPRequest]>([])
  /// How many requests have begun to come.
  let begun = Tally()
  /// How many have come whole.
  let received = Tally()
  /// How many have ended, also by being given up.
  let ended = Tally()

  /// Says hello.
  static let hello: Answer = { _ in reply }

  /// Its answer.
  static let reply = HTTPReply(
    status: 200, fields: [HTTPField("Content-Length", "5")], body: Array("hello".utf8))

  init(_ answer: @escaping Answer) { self.answer = answer }

  /// What has come, each with its body.
  var requests: [HTTPRequest] { seen.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(GatebookError) -> HTTPReply {
    begun.add()
    defer { ended.add() }
    let whole = try await request.withBodyInMemory(SystemClock())
    seen.withLock { $0.append(whole) }
    received.add()
    var told = whole
    told.sink = request.sink
    return try request.handingOver(try await answer(told))
  }
}
