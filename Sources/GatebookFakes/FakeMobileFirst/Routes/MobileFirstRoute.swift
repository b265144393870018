/// One route of a fake MobileFirst server.
protocol MobileFirstRoute {
  /// Answers one request.
  ///
  /// - Parameters:
  ///   - visit: The request; the route notes which client it is from.
  ///   - state: The server, held alone for as long as the answer takes.
  /// - Returns: The answer.
  static func answer(
    _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  )
    -> LoopbackReply
}

extension MobileFirstRoute {
  /// The client that the assertion of a form proves, which the visit notes; `nil` when it proves
  /// none.
  static func client(
    _ visit: inout MobileFirstVisit, _ state: MobileFirstState,
    for purpose: FakeClientAssertion.Purpose = .other
  ) -> RegisteredClient? {
    prove(
      visit.request.formValue("client_assertion"),
      type: visit.request.formValue("client_assertion_type"), for: purpose, &visit, state)
  }

  /// The client that an assertion proves, which the visit notes; `nil` when it proves none.
  static func prove(
    _ assertion: String?, type: String?, for purpose: FakeClientAssertion.Purpose,
    _ visit: inout MobileFirstVisit, _ state: MobileFirstState
  ) -> RegisteredClient? {
    guard let assertion = FakeClientAssertion(assertion, type: type),
      let client = assertion.subject.flatMap({ state.clients[$0] }),
      assertion.proves(client, for: purpose, at: state.told)
    else { return nil }
    visit.clientID = client.id
    return client
  }
}
