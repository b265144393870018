extension MobileFirstState {
  /// `adapters/*`: the resources, with the refusals of RFC 6750 section 3.
  ///
  /// A token covers a scope when it rests on all the checks of the scope, whatever the elements are
  /// called. A token whose check ended early is an invalid one (inferred).
  mutating func showResource(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    let path = visit.request.rest(below: Route.adapters.rawValue)
    guard let resource = application.resources.first(where: { $0.path == path }) else {
      return Self.page.error(404, "There is no such adapter.")
    }
    if let scope = resource.scope, let refusal = refusal(scope, &visit) { return refusal }
    return .text(resource.text)
  }

  private mutating func refusal(
    _ scope: String, _ visit: inout FakeMobileFirstRequest
  ) -> LoopbackReply? {
    let parts = visit.request.fields["Authorization"]?.split(separator: " ") ?? []
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      return MobileFirstReply.bearer()
    }
    guard let token = tokens[String(parts[1])], now < token.expiresAt,
      isFounded(token)
    else { return MobileFirstReply.bearer("error=\"invalid_token\"") }
    visit.clientID = token.clientID
    let required = application.selection(for: scope)?.required
    guard let required, required.allSatisfy({ token.successes[$0] != nil }) else {
      let full = ScopeElements(scope).inFull
      return MobileFirstReply.bearer(
        "error=\"insufficient_scope\", scope=\"\(full)\"", status: 403)
    }
    return nil
  }
}
