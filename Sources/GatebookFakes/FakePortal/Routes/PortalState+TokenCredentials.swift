extension PortalState {
  /// `POST /c/portal/oauth/access_token`: token credentials for a verifier (RFC 5849 section 2.3).
  mutating func giveTokenCredentials(_ visit: inout FakePortalRequest) -> LoopbackReply {
    do {
      let token = try exchange(visit.request)
      visit.recognise(token.userID, by: .oauth1)
      return OAuth1Answer.reply(["oauth_token": token.token, "oauth_token_secret": token.secret])
    } catch {
      return error.reply(switches)
    }
  }

  private mutating func exchange(
    _ request: LoopbackRequest
  ) throws(OAuth1Refusal) -> FakePortalConsumerToken {
    let parameters = try OAuth1Parameters(request)
    let token = try parameters.required("oauth_token")
    let asked = oauth1.temporary[token]
    let key = try check(
      request, parameters, asked.map { ($0.secret, $0.consumerKey) })
    let verifier = try parameters.required("oauth_verifier")
    guard let approval = asked?.approval else { throw OAuth1Refusal.tokenRejected }
    guard approval.verifier == verifier else { throw OAuth1Refusal.verifierInvalid }
    // RFC 5849 section 2.3: temporary credentials are used once.
    oauth1.temporary[token] = nil
    return issueConsumerToken(to: key, of: approval.userID)
  }

  /// `/c/portal/oauth/request_token`, by POST or GET: temporary credentials (RFC 5849 section 2.1).
  mutating func giveTemporaryCredentials(_ visit: inout FakePortalRequest) -> LoopbackReply {
    do {
      let parameters = try OAuth1Parameters(visit.request)
      let key = try check(visit.request, parameters, ("", nil))
      let callback = try parameters.required("oauth_callback")
      let (token, secret) = issueTemporary(to: key, callback: callback)
      guard let confirmed = switches.callbackConfirmation else {
        return OAuth1Answer.reply(["oauth_token": token, "oauth_token_secret": secret])
      }
      return OAuth1Answer.reply([
        "oauth_token": token, "oauth_token_secret": secret, "oauth_callback_confirmed": confirmed,
      ])
    } catch {
      return error.reply(switches)
    }
  }
}
