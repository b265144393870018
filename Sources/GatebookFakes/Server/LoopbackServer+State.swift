internal import Gatebook
internal import GatebookSystem

extension LoopbackServer {
  /// Makes a server that is down and answers from a fake server's state.
  ///
  /// - Parameters:
  ///   - state: What it knows; called under its lock.
  ///   - port: The port on 127.0.0.1; 0 for any free one.
  ///   - tls: How it speaks TLS; `nil` for plain HTTP.
  ///   - clock: Decides all times; `nil` for the machine's own clock.
  ///   - wait: What a delay does.
  /// - Throws: `configuration.invalid` when the port is taken or libssl cannot be opened.
  convenience init<State: FakeServerState>(
    _ state: Locked<State>, port: UInt16 = 0, tls: LoopbackTLS? = nil, clock: (any BookClock)?,
    wait: @escaping @Sendable (Duration) -> Void = { _ in }
  ) throws(GatebookError) {
    let clock = clock ?? SystemClock()
    let connections = Locked(ServerState(tls: try Self.context(tls)))
    try self.init(
      port: port,
      work: ServerWork(
        state: connections, clock: clock, wait: wait,
        finish: { reply in
          // The server's name and time.
          let date = state.withLock { $0.told(clock.now().wall) }
          var reply = reply
          reply.fields.appendMissing("Server", State.page.name)
          reply.fields.appendMissing("Date", DateField.text(date))
          return reply
        },
        stopped: { state.withLock { $0.stop() } },
        handler: { request in
          let isSecure = connections.withLock { $0.tls != nil }
          return state.withLock { state in
            state.begin(at: request.received, isSecure: isSecure)
            return state.answer(request)
          }
        }))
  }

  /// The request log with what a fake server made of each.
  func requests<State: RoutedServerState>(of state: Locked<State>) -> [State.Visit] {
    let requests = requests
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
