internal import GatebookThreads

extension PortalWork {
  /// The request log with whom each caller was taken for.
  var requests: [FakePortalRequest] {
    let requests = server.withLock { $0.requests }
    let visits = state.withLock { $0.visits }
    return requests.filter { !$0.path.hasPrefix(Self.adminPrefix) }.map { request in
      let visit = visits[request.number]
      return FakePortalRequest(
        request: request, userID: visit?.userID, scheme: visit?.scheme ?? .guest,
        status: visit?.status)
    }
  }

  /// Ends the sessions of a user, or all there are.
  func endSessions(of userID: Int64?) {
    state.withLock { state in
      state.sessions = state.sessions.filter { userID != nil && $0.value.userID != userID }
    }
  }

  /// Tells a wrong user id in the next replies that tell one.
  func misreport(_ userID: Int64, times: Int) {
    state.withLock { $0.misreports += Array(repeating: userID, count: max(0, times)) }
  }

  /// A portal exception in place of an answer, in the form of the release.
  func exception(_ message: String) -> LoopbackFault {
    .answer { [state] _ in
      PortalException.failure(message).reply(as: state.withLock { $0.switches.version })
    }
  }
}
