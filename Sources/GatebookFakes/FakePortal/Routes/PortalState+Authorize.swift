extension PortalState {
  /// `/o/oauth2/authorize`: GET asks the user, POST takes the answer (RFC 6749 section 4.1.1).
  mutating func authorizeApplication(_ visit: inout FakePortalRequest) -> LoopbackReply {
    visit.request.method == "GET" ? ask(&visit) : decide(&visit)
  }

  private mutating func ask(_ visit: inout FakePortalRequest) -> LoopbackReply {
    switch AuthorizationRequest.judge(visit.request, oauth2) {
    case .page(let reason): return Self.page.error(400, reason)
    case .redirect(let location): return .redirect(to: location)
    case .ask(let request):
      return PortalConsent.ask(
        about: .application(request), for: "the application \(request.clientID)", &visit, &self)
    }
  }

  private mutating func decide(_ visit: inout FakePortalRequest) -> LoopbackReply {
    guard let answer = PortalConsent.answer(&visit, &self),
      case .application(let request) = answer.subject
    else { return Self.page.error(403, "Nobody was asked that.") }
    guard answer.isApproved else {
      return .redirect(to: request.answer("error", "access_denied"))
    }
    let code = issueCode(for: request, to: answer.userID)
    return .redirect(to: request.answer("code", code))
  }
}
