/// `/o/oauth2/authorize`: GET asks the user, POST takes the answer (RFC 6749 section 4.1.1).
enum AuthorizeRoute: PortalRoute {
  static func answer(_ visit: inout PortalVisit, _ state: inout PortalState) -> LoopbackReply {
    switch visit.request.method {
    case "GET": return ask(&visit, &state)
    case "POST": return decide(&visit, &state)
    default: return PortalPage.error(405, "Authorization is asked for with GET.")
    }
  }

  private static func ask(
    _ visit: inout PortalVisit, _ state: inout PortalState
  ) -> LoopbackReply {
    switch AuthorizationRequest.judge(visit.request, state.oauth2) {
    case .page(let reason): return PortalPage.error(400, reason)
    case .redirect(let location): return .redirect(to: location)
    case .ask(let request):
      return PortalConsent.ask(
        about: .application(request), for: "the application \(request.clientID)", &visit, &state)
    }
  }

  private static func decide(
    _ visit: inout PortalVisit, _ state: inout PortalState
  ) -> LoopbackReply {
    guard let answer = PortalConsent.answer(&visit, &state),
      case .application(let request) = answer.subject
    else { return PortalPage.error(403, "Nobody was asked that.") }
    guard answer.isApproved else {
      return .redirect(to: request.answer("error", "access_denied"))
    }
    let code = state.issueCode(for: request, to: answer.userID)
    return .redirect(to: request.answer("code", code))
  }
}
