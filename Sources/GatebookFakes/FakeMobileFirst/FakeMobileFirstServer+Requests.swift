internal import GatebookThreads

extension FakeMobileFirstServer {
  /// What was received so far, in order, over restarts.
  public var requests: [FakeMobileFirstRequest] {
    work.requests
  }

  /// What a route received so far, in order.
  public func requests(to route: Route) -> [FakeMobileFirstRequest] {
    let path = "/\(application.context)/api/\(route.rawValue)"
    return requests.filter { request in
      path.hasSuffix("/*")
        ? request.request.path.hasPrefix(path.dropLast()) : request.request.path == path
    }
  }

  /// Waits until the server received so many requests, answered or not.
  ///
  /// - Parameter count: How many.
  /// - Returns: The log at that moment; fewer requests when the server was stopped meanwhile.
  public func requests(atLeast count: Int) async -> [FakeMobileFirstRequest] {
    _ = await server.requests(atLeast: count)
    return requests
  }

  /// Empties the log.
  public func forgetRequests() {
    server.forgetRequests()
  }

  /// The ids of the clients that are registered, in order.
  public var clientIDs: [String] {
    work.state.withLock { state in
      state.clients.keys.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }
  }

  /// Every code, access token and refresh token that was ever given out: none of them may be found
  /// in what a client writes in the clear.
  public var secretsIssued: [String] {
    work.state.withLock { $0.issued }
  }
}
