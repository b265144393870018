public import Gatebook
internal import GatebookSystem

/// A request in the log of a fake server, with what the server made of it.
public protocol FakeServerRequest: Sendable {
  /// The request as it came.
  var request: LoopbackRequest { get }
}

extension LoopbackRequest: FakeServerRequest {
  /// The request itself.
  public var request: LoopbackRequest { self }
}

/// What all fake servers have in common: a real HTTP server on 127.0.0.1 that records what it
/// receives, and goes wrong where a test wants it.
///
/// ## Topics
/// ### Life
/// - ``start()``
/// - ``stop()``
/// - ``url``
/// - ``port``
/// ### What it received
/// - ``requests``
/// - ``requests(to:)``
/// - ``requests(atLeast:)``
/// - ``forgetRequests()``
/// - ``connectionCount``
/// ### What goes wrong
/// - ``inject(_:on:after:times:where:)``
/// - ``clearFaults()``
/// - ``release()``
/// - ``faulted``
/// ### TLS
/// - ``present(_:)``
/// - ``handshakes``
public protocol FakeServer: Sendable {
  /// One request, with what the server made of it.
  associatedtype Request: FakeServerRequest
  /// A route that faults are put on.
  associatedtype Route: Sendable

  /// The HTTP server that it runs on.
  var server: LoopbackServer { get }

  /// What was received so far, in order, over restarts.
  var requests: [Request] { get }

  /// The path of a route, without a query; one that ends in `/*` stands for all below it.
  func path(of route: Route) -> String
}

extension FakeServer {
  /// Where the server is: `http://127.0.0.1:port`, or `https:` with TLS, without a slash at the
  /// end.
  public var url: String {
    let isSecure = server.work.state.withLock { $0.tls != nil }
    return "\(isSecure ? "https" : "http")://127.0.0.1:\(port)"
  }

  /// The port, known before the first `start`.
  public var port: UInt16 { server.port }

  /// How many connections were taken so far, whatever became of them.
  public var connectionCount: Int { server.work.state.withLock { $0.connectionCount } }

  /// The handshakes so far, failed ones included, in the order of their ends.
  ///
  /// One that the client gave up appears a moment after that; ``stop()`` waits for all.
  public var handshakes: [LoopbackHandshake] { server.work.state.withLock { $0.handshakes } }

  /// Begins to answer; nothing happens when it already does.
  ///
  /// - Throws: `configuration.invalid` when the port cannot be had, `limit.exceeded` without a
  ///   thread left.
  public func start() throws(GatebookError) {
    try server.work.start(on: port)
  }

  /// Closes the listener and all connections at once, and waits until their threads are done;
  /// answers that are held are let go, and faults stay.
  ///
  /// After that the server refuses connections. Never call it from a handler: it waits until all
  /// handlers have ended.
  /// What a kind of server forgets then, its own page says.
  public func stop() {
    server.work.stop()
  }

  /// Speaks TLS in another way, or plainly, on every connection that comes from now on.
  ///
  /// The port stays the same, so a client sees another key at a place that it knows.
  ///
  /// - Parameter tls: How, such as with a certificate that nobody trusts; `nil` for plain HTTP.
  /// - Throws: `configuration.invalid` when libssl cannot be opened.
  public func present(_ tls: LoopbackTLS?) throws(GatebookError) {
    let context = try LoopbackServer.context(tls)
    server.work.state.withLock { $0.tls = context }
  }

  /// Lets something go wrong with coming requests, after the faults that are still to come.
  ///
  /// A request meets only the first fault that fits it and has not run out, so faults put on the
  /// same route happen one after the other. Each fault counts only what fits it.
  ///
  /// - Parameters:
  ///   - fault: What goes wrong.
  ///   - route: Where; `nil` for everywhere.
  ///   - skipped: How many requests that fit are let through first: 2 hits the third.
  ///   - times: How many are hit then, one after the other; `nil` for all.
  ///   - fits: Which requests; all unless given. Called on the connection's thread.
  public func inject(
    _ fault: LoopbackFault, on route: Route? = nil, after skipped: Int = 0, times: Int? = 1,
    where fits: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true }
  ) {
    let path = route.map { self.path(of: $0) }
    let entry = FaultSchedule.Entry(fault: fault, skipped: skipped, remaining: times) { request in
      LoopbackFault.fits(path, request.path) && fits(request)
    }
    server.work.state.withLock { state in
      if case .hold = fault { state.isHolding = true }
      state.faults.entries.append(entry)
    }
  }

  /// Takes all faults back; answers that are held stay held.
  public func clearFaults() {
    server.work.state.withLock { $0.faults = FaultSchedule() }
  }

  /// Lets all answers go that are held, and those that still would be until ``LoopbackFault/hold``
  /// is injected again.
  public func release() {
    server.work.state.withLock { $0.isHolding = false }
  }

  /// The requests that met a fault, in order.
  public var faulted: [LoopbackRequest] { server.work.state.withLock { $0.faulted } }

  /// What a route received so far, in order.
  public func requests(to route: Route) -> [Request] {
    let path = path(of: route)
    return requests.filter { LoopbackFault.fits(path, $0.request.path) }
  }

  /// Waits until the server received so many requests, answered or not.
  ///
  /// - Parameter count: How many.
  /// - Returns: The log at that moment; fewer requests when the server was stopped meanwhile.
  public func requests(atLeast count: Int) async -> [Request] {
    await withCheckedContinuation { continuation in
      server.work.state.withLock { state in
        state.watchers.append(ServerState.Watcher(count: count, continuation: continuation))
        state.serveWatchers()
      }
    }
    return requests
  }

  /// Empties the log; the numbers of requests do not start over.
  public func forgetRequests() {
    server.work.state.withLock { $0.requests = [] }
  }
}

extension FakeServer where Route: RawRepresentable<String> {
  /// The path of a route, without a query; one that ends in `/*` stands for all below it.
  public func path(of route: Route) -> String { route.rawValue }
}

extension FakeServer where Route == String {
  /// A route is its path, without a query; one that ends in `/*` stands for all below it.
  public func path(of route: String) -> String { route }
}

extension FakeServer where Request == LoopbackRequest {
  /// What was received so far, in order, over restarts; refused and half-read requests are not in
  /// it.
  public var requests: [LoopbackRequest] { server.work.state.withLock { $0.requests } }
}
