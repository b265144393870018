internal import Gatebook
internal import GatebookSystem

/// What changes while a loopback server runs; always protected by its lock.
struct ServerState: Sendable {
  /// The server's state between `start` and `stop`.
  enum Phase {
    case down
    case up
    case stopping
  }

  /// Somebody who waits for so many requests, or for the server to stop.
  struct Watcher: Sendable {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  var phase = Phase.down
  var listener: LoopbackSocket?
  var acceptor: PosixThread?
  var connections: [Int: LoopbackSocket] = [:]
  var connectionCount = 0
  var requestCount = 0
  var requests: [LoopbackRequest] = []
  var faults = FaultSchedule()
  /// The requests that met a fault.
  var faulted: [LoopbackRequest] = []
  /// Whether answers that are held wait on.
  var isHolding = false
  var watchers: [Watcher] = []
  /// How coming connections speak TLS; `nil` for plain HTTP.
  var tls: TLSContext?
  var handshakes: [LoopbackHandshake] = []

  /// Registers a connection; `nil` while the server stops, when no new one may begin.
  mutating func open(_ socket: LoopbackSocket) -> Int? {
    guard phase == .up else { return nil }
    connectionCount += 1
    connections[connectionCount] = socket
    return connectionCount
  }

  /// Records a request under its number, and takes the fault that it meets; `nil` when all is well.
  mutating func record(_ request: inout LoopbackRequest) -> LoopbackFault? {
    requestCount += 1
    request.number = requestCount
    requests.append(request)
    serveWatchers()
    let fault = faults.take(for: request)
    if fault != nil { faulted.append(request) }
    return fault
  }

  /// Wakes and forgets the watchers whose requests have come; every one of them unless the server
  /// is up.
  mutating func serveWatchers() {
    watchers = watchers.filter { watcher in
      guard phase != .up || requests.count >= watcher.count else { return true }
      watcher.continuation.resume()
      return false
    }
  }

  /// Takes a connection off the books.
  mutating func close(_ number: Int) {
    connections[number] = nil
  }

  /// Ends listener and connections and hands out what `stop` must wait for; nothing unless up.
  mutating func beginStop() -> (LoopbackSocket?, PosixThread?) {
    guard phase == .up else { return (nil, nil) }
    phase = .stopping
    isHolding = false
    listener?.disconnect()
    for connection in connections.values { connection.disconnect() }
    serveWatchers()
    defer { (listener, acceptor) = (nil, nil) }
    return (listener, acceptor)
  }
}

/// What the threads of a loopback server share; they never hold the server itself, so dropping its
/// last reference stops it.
struct ServerWork: Sendable {
  let state: Locked<ServerState>
  let clock: any BookClock
  let wait: @Sendable (Duration) -> Void
  /// The last word on every answer, those of faults and refusals included.
  var finish: @Sendable (LoopbackReply) -> LoopbackReply = { $0 }
  /// Called after each stop.
  var stopped: @Sendable () -> Void = {}
  let handler: LoopbackServer.Handler
}

extension ServerWork {
  /// Begins to listen on a port; nothing happens when it already does.
  func start(on port: UInt16) throws(GatebookError) {
    try state.withLock { state throws(GatebookError) in
      guard state.phase == .down else { return }
      guard let listener = LoopbackSocket(boundTo: port) else { throw .portRefused(port) }
      do throws(GatebookError) {
        guard Sockets.listen(listener.descriptor) else { throw .portRefused(port) }
        let acceptor = Acceptor(listener: listener, work: self)
        state.acceptor = try PosixThread { acceptor.run() }
      } catch {
        listener.close()
        throw error
      }
      state.listener = listener
      state.phase = .up
    }
  }

  /// Closes the listener and all connections, and waits until their threads are done.
  func stop() {
    defer { stopped() }
    guard case (let listener?, let acceptor?) = state.withLock({ $0.beginStop() }) else {
      return state.withLock(once: { $0.phase == .down }, { _ in })
    }
    acceptor.join()
    listener.close()
    state.withLock(once: { $0.connections.isEmpty }, { $0.phase = .down })
  }
}

extension GatebookError {
  /// The port belongs to somebody else; `errno` says why.
  static func portRefused(_ port: UInt16) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The loopback server cannot listen on port \(port).",
      remedy: "Choose another port, or 0 for any free one.",
      cause: "errno \(SystemError.last.number)")
  }
}
