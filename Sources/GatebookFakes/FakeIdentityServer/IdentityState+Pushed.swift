internal import Gatebook

extension IdentityState {
  /// `POST /par` (RFC 9126 section 2.1).
  mutating func push(_ request: LoopbackRequest) -> LoopbackReply {
    guard settings.takesPushedRequests else {
      return .text("There is nothing here.\n", status: 404)
    }
    guard isClient(request) else { return .refused("invalid_client", status: 401) }
    // "The request_uri authorization request parameter is one exception, and it MUST NOT be
    // provided."
    guard request.formValue("client_id") == FakeIdentityServer.clientID,
      request.formValue("request_uri") == nil
    else { return .refused("invalid_request") }
    let name = "urn:example:request-\(number())"
    pushed[name] = request
    return .json(["request_uri": .string(name), "expires_in": 60], status: 201)
  }

  /// What the page is opened for, by name; a pushed request is taken, as it is good once (section
  /// 7.3).
  mutating func takeAsked(by request: LoopbackRequest) -> ((String) -> String?)? {
    guard let name = request.queryValue("request_uri") else {
      return request.queryValue
    }
    // Section 4: beside `client_id` nothing else counts.
    guard let pushed = pushed.removeValue(forKey: name),
      request.queryValue("client_id") == pushed.formValue("client_id")
    else { return nil }
    return pushed.formValue
  }
}
