/// `POST /c/portal/oauth/access_token`: token credentials for a verifier (RFC 5849 section 2.3).
enum AccessTokenRoute: PortalRoute {
  static func answer(_ visit: inout PortalVisit, _ state: inout PortalState) -> LoopbackReply {
    guard visit.request.method == "POST" else {
      return PortalPage.error(405, "Token credentials are asked for with POST.")
    }
    do {
      let token = try exchange(visit.request, &state)
      visit.recognise(token.userID, by: .oauth1)
      return OAuth1Answer.reply(["oauth_token": token.token, "oauth_token_secret": token.secret])
    } catch {
      return error.reply(state.switches)
    }
  }

  private static func exchange(
    _ request: LoopbackRequest, _ state: inout PortalState
  ) throws(OAuth1Refusal) -> FakePortalConsumerToken {
    let parameters = try OAuth1Parameters(request)
    let token = try parameters.required("oauth_token")
    let asked = state.oauth1.temporary[token]
    let key = try state.check(
      request, parameters, asked.map { ($0.secret, $0.consumerKey) })
    let verifier = try parameters.required("oauth_verifier")
    guard let approval = asked?.approval else { throw OAuth1Refusal.tokenRejected }
    guard approval.verifier == verifier else { throw OAuth1Refusal.verifierInvalid }
    // RFC 5849 section 2.3: temporary credentials are used once.
    state.oauth1.temporary[token] = nil
    return state.issueConsumerToken(to: key, of: approval.userID)
  }
}
