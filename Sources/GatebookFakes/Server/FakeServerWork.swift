internal import Gatebook
internal import GatebookSystem

/// What answers a fake server's requests; it knows the server's log and faults, not the server.
struct FakeServerWork<State: FakeServerState>: Sendable {
  let state: Locked<State>
  let server: Locked<ServerState>
  let clock: any BookClock

  /// Makes a server that is down, and what answers its requests.
  ///
  /// - Parameters:
  ///   - state: What it knows.
  ///   - port: The port on 127.0.0.1; 0 for any free one.
  ///   - tls: How it speaks TLS; `nil` for plain HTTP.
  ///   - clock: Decides all times; `nil` for the machine's own clock.
  ///   - wait: What a delay does.
  /// - Returns: The server, and what answers its requests.
  /// - Throws: `configuration.invalid` when the port is taken or libssl cannot be opened.
  static func make(
    _ state: State, port: UInt16 = 0, tls: LoopbackTLS? = nil, clock: (any BookClock)?,
    wait: @escaping @Sendable (Duration) -> Void = { _ in }
  ) throws(GatebookError) -> (LoopbackServer, FakeServerWork) {
    var serverState = ServerState()
    serverState.tls = try LoopbackServer.context(tls)
    let work = FakeServerWork(
      state: Locked(state), server: Locked(serverState), clock: clock ?? SystemClock())
    let server = try LoopbackServer(
      port: port,
      work: ServerWork(
        state: work.server, clock: work.clock, wait: wait,
        finish: { work.stamped($0) },
        stopped: { work.state.withLock { $0.stop() } },
        handler: { work.answer($0) }))
    return (server, work)
  }

  private func answer(_ request: LoopbackRequest) -> LoopbackReply {
    let moment = clock.now()
    let isSecure = server.withLock { $0.tls != nil }
    return state.withLock { state in
      state.begin(at: moment, isSecure: isSecure)
      return state.answer(request)
    }
  }

  /// Gives an answer the server's name and time.
  private func stamped(_ reply: LoopbackReply) -> LoopbackReply {
    let wall = clock.now().wall
    let date = state.withLock { $0.told(wall) }
    var reply = reply
    reply.fields.appendMissing("Server", State.page.name)
    reply.fields.appendMissing("Date", DateField.text(date))
    return reply
  }
}

extension FakeServerWork where State: RoutedServerState {
  /// The request log with what was made of each.
  var requests: [State.Visit] {
    let requests = server.withLock { $0.requests }
    return state.withLock { state in
      requests.map { request in
        var visit = state.visits[request.number] ?? State.Visit(request)
        // A visit may have dropped what was not meant for it.
        visit.request = request
        return state.told(visit)
      }
    }
  }
}
