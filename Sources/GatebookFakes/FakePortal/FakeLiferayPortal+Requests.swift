extension FakeLiferayPortal {
  /// What was received so far, in order, over restarts; admin requests are not in it.
  public var requests: [FakePortalRequest] {
    work.requests
  }

  /// What a route received so far, in order.
  public func requests(to route: Route) -> [FakePortalRequest] {
    requests.filter { request in
      route == .documents
        ? request.request.path.hasPrefix("/documents/") : request.request.path == route.rawValue
    }
  }

  /// Waits until the portal received so many requests, admin requests included, answered or not.
  ///
  /// - Parameter count: How many.
  /// - Returns: The log at that moment; fewer requests when the portal was stopped meanwhile.
  public func requests(atLeast count: Int) async -> [FakePortalRequest] {
    _ = await server.requests(atLeast: count)
    return requests
  }

  /// Empties the log.
  public func forgetRequests() {
    server.forgetRequests()
  }
}
