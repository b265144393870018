extension FakeGateway {
  /// What was received so far, in order, over restarts.
  public var requests: [FakeGatewayRequest] {
    work.requests
  }

  /// What a route received so far, in order.
  public func requests(to route: Route) -> [FakeGatewayRequest] {
    requests.filter { work.route(of: $0.request.path) == route }
  }

  /// Waits until the gateway received so many requests, answered or not.
  ///
  /// - Parameter count: How many.
  /// - Returns: The log at that moment; fewer requests when the gateway was stopped meanwhile.
  public func requests(atLeast count: Int) async -> [FakeGatewayRequest] {
    _ = await server.requests(atLeast: count)
    return requests
  }

  /// Empties the log.
  public func forgetRequests() {
    server.forgetRequests()
  }

  /// How many connections were taken so far, whatever became of them.
  public var connectionCount: Int { server.connectionCount }
}
