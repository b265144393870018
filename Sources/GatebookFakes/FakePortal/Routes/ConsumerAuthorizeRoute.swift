/// `/c/portal/oauth/authorize`: GET asks the user, POST takes the answer (RFC 5849 section 2.2).
enum ConsumerAuthorizeRoute: PortalRoute {
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
    guard let token = visit.request.queryValue("oauth_token"),
      let asked = state.oauth1.temporary[token], asked.approval == nil
    else { return PortalPage.error(400, "The request token is not known.") }
    return PortalConsent.ask(
      about: .consumer(token: token), for: "the consumer \(asked.consumerKey)", &visit, &state)
  }

  private static func decide(
    _ visit: inout PortalVisit, _ state: inout PortalState
  ) -> LoopbackReply {
    guard let answer = PortalConsent.answer(&visit, &state),
      case .consumer(let token) = answer.subject, let asked = state.oauth1.temporary[token],
      asked.approval == nil
    else { return PortalPage.error(403, "Nobody was asked that.") }
    guard answer.isApproved, let verifier = state.approve(token, by: answer.userID) else {
      return deny(token, asked, &state)
    }
    guard asked.callback != "oob" else {
      return .html("<p id=\"verifier\">\(PortalForm.escaped(verifier))</p>\n")
    }
    return back(asked, [("oauth_token", token), ("oauth_verifier", verifier)])
  }

  /// RFC 5849 has no answer for a refusal; the one of the problem reporting extension is inferred.
  private static func deny(
    _ token: String, _ asked: PortalOAuth1.Temporary, _ state: inout PortalState
  ) -> LoopbackReply {
    state.oauth1.temporary[token] = nil
    guard asked.callback != "oob" else {
      return PortalPage.error(200, "The consumer was told nothing.")
    }
    return back(asked, [("oauth_token", token), ("oauth_problem", "permission_denied")])
  }

  private static func back(
    _ asked: PortalOAuth1.Temporary, _ pairs: [(name: String, value: String)]
  ) -> LoopbackReply {
    let text = pairs.map { "\($0.name)=\(PercentText.encode($0.value))" }.joined(separator: "&")
    return .redirect(to: asked.callback + (asked.callback.contains("?") ? "&" : "?") + text)
  }
}
