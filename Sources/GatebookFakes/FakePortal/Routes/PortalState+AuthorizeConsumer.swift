extension PortalState {
  /// `/c/portal/oauth/authorize`: GET asks the user, POST takes the answer (RFC 5849 section 2.2).
  mutating func authorizeConsumer(_ visit: inout FakePortalRequest) -> LoopbackReply {
    visit.request.method == "GET" ? ask(&visit) : decide(&visit)
  }

  private mutating func ask(_ visit: inout FakePortalRequest) -> LoopbackReply {
    guard let token = visit.request.queryValue("oauth_token"),
      let asked = oauth1.temporary[token], asked.approval == nil
    else { return Self.page.error(400, "The request token is not known.") }
    return PortalConsent.ask(
      about: .consumer(token: token), for: "the consumer \(asked.consumerKey)", &visit, &self)
  }

  private mutating func decide(_ visit: inout FakePortalRequest) -> LoopbackReply {
    guard let answer = PortalConsent.answer(&visit, &self),
      case .consumer(let token) = answer.subject, let asked = oauth1.temporary[token],
      asked.approval == nil
    else { return Self.page.error(403, "Nobody was asked that.") }
    guard answer.isApproved, let verifier = approve(token, by: answer.userID) else {
      return deny(token, asked)
    }
    guard asked.callback != "oob" else {
      return .html("<p id=\"verifier\">\(PortalForm.escaped(verifier))</p>\n")
    }
    return back(asked, [("oauth_token", token), ("oauth_verifier", verifier)])
  }

  /// RFC 5849 has no answer for a refusal; the one of the problem reporting extension is inferred.
  private mutating func deny(_ token: String, _ asked: PortalOAuth1.Temporary) -> LoopbackReply {
    oauth1.temporary[token] = nil
    guard asked.callback != "oob" else {
      return Self.page.error(200, "The consumer was told nothing.")
    }
    return back(asked, [("oauth_token", token), ("oauth_problem", "permission_denied")])
  }

  private func back(
    _ asked: PortalOAuth1.Temporary, _ pairs: [(name: String, value: String)]
  ) -> LoopbackReply {
    let text = pairs.map { "\($0.name)=\(PercentText.encode($0.value))" }.joined(separator: "&")
    return .redirect(to: asked.callback + (asked.callback.contains("?") ? "&" : "?") + text)
  }
}
