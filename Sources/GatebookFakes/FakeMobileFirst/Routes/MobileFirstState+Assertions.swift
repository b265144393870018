extension MobileFirstState {
  /// The client that the assertion of a form proves, which the visit notes; `nil` when it proves
  /// none.
  func client(
    _ visit: inout FakeMobileFirstRequest,
    for purpose: FakeClientAssertion.Purpose = .other
  ) -> RegisteredClient? {
    prove(
      visit.request.formValue("client_assertion"),
      type: visit.request.formValue("client_assertion_type"), for: purpose, &visit)
  }

  /// The client that an assertion proves, which the visit notes; `nil` when it proves none.
  func prove(
    _ assertion: String?, type: String?, for purpose: FakeClientAssertion.Purpose,
    _ visit: inout FakeMobileFirstRequest
  ) -> RegisteredClient? {
    guard let assertion = FakeClientAssertion(assertion, type: type),
      let client = assertion.subject.flatMap({ clients[$0] }),
      assertion.proves(client, for: purpose, at: told)
    else { return nil }
    visit.clientID = client.id
    return client
  }
}
