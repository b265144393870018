package import GatebookEvents

/// Authorises requests to a portal by signing each with OAuth 1.0a; other applications on its host
/// get nothing.
package struct LiferayOAuth1Proof: LiferayProof {
  /// Frozen: it is stored in events.
  package static let method = "liferay-oauth1"

  /// The portal.
  package let portal: LiferayPortal
  private let session: OAuth1Session

  init(_ portal: LiferayPortal, _ session: OAuth1Session) {
    self.portal = portal
    self.session = session
  }

  /// As it must be signed.
  package var serverOffset: Duration? { .seconds(session.clock.offset) }

  /// No: none are sent.
  package var keepsCookies: Bool { false }

  /// Adds a signature of this request alone below the portal's URL; no cookies.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    // "No cookie jar is used on these calls except in cookie mode": a session cookie would make the
    // portal ask for a CSRF token.
    guard portal.space.contains(request.url) else { return request }
    return session.sign(request, at: moment, random: random)
  }

  /// A form's fields are signed (RFC 5849 section 3.4.1.3.1).
  package func signsBody(of request: HTTPRequest) -> Bool { OAuth1BaseString.isOfForm(request) }

  /// A 401 or 403, or a web service's answer that the caller is a guest; or the portal's clock in a
  /// refusal for the timestamp.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    guard portal.space.contains(request.url) else { return .unaffected }
    if let session = session.corrected(by: reply, to: request) {
      return .corrected(LiferayOAuth1Proof(portal, session).record)
    }
    if reply.status == 401, OAuth1Problem(reply)?.isOfRequest == true { return .unaffected }
    return reply.status == 403 ? .authorityLost : portal.verdict(on: reply, to: request)
  }

  /// Asks the portal for whom it takes the token's owner.
  package func verification(jar: CookieJar) -> any Authenticator {
    LiferayOAuth1Verification(portal: portal, session: session, jar: jar)
  }
}

extension LiferayOAuth1Proof: StoredRecord {
  /// Portal and session.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    portal = try facts.required("portal", kept?.portal)
    session = try facts.required("session", kept?.session)
  }
}
