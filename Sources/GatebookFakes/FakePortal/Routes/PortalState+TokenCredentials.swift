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
  ) throws(FakeOAuth1Refusal) -> FakePortalConsumerToken {
    let parameters = try OAuth1Parameters(request)
    let token = try parameters.required("oauth_token")
    let asked = oauth1.temporary[token]
    let key = try check(
      request, parameters, asked.map { ($0.secret, $0.consumerKey) })
    let verifier = try parameters.required("oauth_verifier")
    guard let approval = asked?.approval else { throw FakeOAuth1Refusal.tokenRejected }
    guard approval.verifier == verifier else { throw FakeOAuth1Refusal.verifierInvalid }
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
    return .redirect(
      to: asked.callback, adding: [("oauth_token", token), ("oauth_verifier", verifier)])
  }

  /// RFC 5849 has no answer for a refusal; the one of the problem reporting extension is inferred.
  private mutating func deny(_ token: String, _ asked: PortalOAuth1.Temporary) -> LoopbackReply {
    oauth1.temporary[token] = nil
    guard asked.callback != "oob" else {
      return Self.page.error(200, "The consumer was told nothing.")
    }
    return .redirect(
      to: asked.callback,
      adding: [("oauth_token", token), ("oauth_problem", "permission_denied")])
  }
}
