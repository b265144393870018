package import GatebookEvents

/// Authorises requests by signing each with OAuth 1.0a (RFC 5849 section 3).
package struct OAuth1Proof: SessionProof {
  /// Frozen: it is stored in events.
  package static let method = "oauth1"

  private let session: OAuth1Session
  private let target: OAuth1Target
  private let isForbiddenToStrangers: Bool

  init(_ session: OAuth1Session, _ target: OAuth1Target, isForbiddenToStrangers: Bool) {
    self.session = session
    self.target = target
    self.isForbiddenToStrangers = isForbiddenToStrangers
  }

  /// The check URL's.
  package var origin: Origin { target.checkURL.origin }

  /// As it must be signed.
  package var serverOffset: Duration? { .seconds(session.clock.offset) }

  /// Adds the jar's cookies and a signature of this request alone.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    session.sign(request.carrying(jar, at: moment), at: moment, random: random)
  }

  /// A form's fields are signed (RFC 5849 section 3.4.1.3.1).
  package func signsBody(of request: HTTPRequest) -> Bool { OAuth1BaseString.isOfForm(request) }

  /// A 401, or the server's clock in a refusal for the timestamp.
  ///
  /// A 403 says that this person may not do this, and a problem of the request says nothing about
  /// the token.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    guard request.url.origin == origin else { return .unaffected }
    if let session = session.corrected(by: reply, to: request) {
      return .corrected(
        OAuth1Proof(session, target, isForbiddenToStrangers: isForbiddenToStrangers).record)
    }
    guard reply.status == 401, OAuth1Problem(reply)?.isOfRequest != true else {
      return .unaffected
    }
    return .authorityLost
  }

  /// The check URL, signed.
  package func verification(jar: CookieJar) -> any Authenticator {
    CheckURLVerification(
      target.checkURL, person: target.person(of: session.consumer), proof: self, jar: jar,
      isForbiddenToStrangers: isForbiddenToStrangers)
  }
}

extension OAuth1Proof: StoredRecord {
  /// Session and target.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    isForbiddenToStrangers = try facts.required("forbidden", kept?.isForbiddenToStrangers)
    session = try facts.required("session", kept?.session)
    target = try facts.required("target", kept?.target)
  }
}
