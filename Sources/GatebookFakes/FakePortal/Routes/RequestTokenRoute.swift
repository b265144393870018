/// `/c/portal/oauth/request_token`, by POST or GET: temporary credentials (RFC 5849 section 2.1).
enum RequestTokenRoute: PortalRoute {
  static func answer(_ visit: inout PortalVisit, _ state: inout PortalState) -> LoopbackReply {
    guard ["GET", "POST"].contains(visit.request.method) else {
      return PortalPage.error(405, "Temporary credentials are asked for with POST or GET.")
    }
    do {
      let parameters = try OAuth1Parameters(visit.request)
      let key = try state.check(visit.request, parameters, ("", nil))
      let callback = try parameters.required("oauth_callback")
      let (token, secret) = state.issueTemporary(to: key, callback: callback)
      guard let confirmed = state.switches.callbackConfirmation else {
        return OAuth1Answer.reply(["oauth_token": token, "oauth_token_secret": secret])
      }
      return OAuth1Answer.reply([
        "oauth_token": token, "oauth_token_secret": secret, "oauth_callback_confirmed": confirmed,
      ])
    } catch {
      return error.reply(state.switches)
    }
  }
}
