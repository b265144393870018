/// `adapters/*`: the resources, with the refusals of RFC 6750 section 3.
///
/// A token covers a scope when it rests on all the checks of the scope, whatever the elements are
/// called. A token whose check ended early is an invalid one (inferred).
enum AdapterRoute: MobileFirstRoute {
  static func answer(
    _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    guard ["GET", "POST"].contains(visit.request.method) else {
      return MobileFirstReply.wrongMethod("GET, POST")
    }
    let path = visit.path.dropFirst("adapters/".count)
    guard let resource = state.application.resources.first(where: { $0.path == path }) else {
      return MobileFirstReply.page(404, "There is no such adapter.")
    }
    if let conflict = state.conflict(on: .adapters) { return conflict }
    if let scope = resource.scope, let refusal = refusal(scope, &visit, &state) { return refusal }
    return .text(resource.text)
  }

  private static func refusal(
    _ scope: String, _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply? {
    let parts = visit.request.fields["Authorization"]?.split(separator: " ") ?? []
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      return MobileFirstReply.bearer()
    }
    guard let token = state.tokens[String(parts[1])], state.now < token.expiresAt,
      state.isFounded(token)
    else { return MobileFirstReply.bearer("error=\"invalid_token\"") }
    visit.clientID = token.clientID
    state.touch(token.successes.keys, of: token.clientID)
    let required = state.application.selection(for: scope)?.required
    guard let required, required.allSatisfy({ token.successes[$0] != nil }) else {
      let full = ScopeElements(scope).inFull
      return MobileFirstReply.bearer(
        "error=\"insufficient_scope\", scope=\"\(full)\"", status: 403)
    }
    return nil
  }
}
