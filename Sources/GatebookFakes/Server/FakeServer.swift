public import Gatebook

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
/// - ``inject(_:on:times:)``
/// - ``clearFaults()``
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

  /// Takes all faults back.
  func clearFaults()
}

extension FakeServer {
  /// Where the server is: `http://127.0.0.1:port`, or `https:` with TLS, without a slash at the
  /// end.
  public var url: String { server.url }

  /// The port, known before the first `start`.
  public var port: UInt16 { server.port }

  /// How many connections were taken so far, whatever became of them.
  public var connectionCount: Int { server.connectionCount }

  /// The handshakes so far, failed ones included, in the order of their ends.
  ///
  /// One that the client gave up appears a moment after that; ``stop()`` waits for all.
  public var handshakes: [LoopbackHandshake] { server.handshakes }

  /// Begins to answer; nothing happens when it already does.
  ///
  /// - Throws: `configuration.invalid` when the port cannot be had, `limit.exceeded` without a
  ///   thread left.
  public func start() throws(GatebookError) {
    try server.start()
  }

  /// Refuses connections from now on.
  ///
  /// What a kind of server forgets then, its own page says.
  public func stop() {
    server.stop()
  }

  /// Speaks TLS in another way, or plainly, on every connection that comes from now on.
  ///
  /// - Parameter tls: How, such as with a certificate that nobody trusts; `nil` for plain HTTP.
  /// - Throws: `configuration.invalid` when libssl cannot be opened.
  public func present(_ tls: LoopbackTLS?) throws(GatebookError) {
    try server.present(tls)
  }

  /// Lets something go wrong with coming requests, after the faults that are still to come.
  ///
  /// A request meets only the first fault that fits its route and has not run out.
  ///
  /// - Parameters:
  ///   - fault: What goes wrong.
  ///   - route: Where; `nil` for everywhere.
  ///   - times: How often; `nil` for always.
  public func inject(_ fault: LoopbackFault, on route: Route? = nil, times: Int? = 1) {
    server.inject(fault, on: route.map { path(of: $0) }, times: times)
  }

  /// Takes all faults back.
  public func clearFaults() {
    server.clearFaults()
  }

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
    _ = await server.requests(atLeast: count)
    return requests
  }

  /// Empties the log.
  public func forgetRequests() {
    server.forgetRequests()
  }
}

extension FakeServer where Route: RawRepresentable<String> {
  /// The path of a route, without a query; one that ends in `/*` stands for all below it.
  public func path(of route: Route) -> String { route.rawValue }
}
