internal import GatebookEvents

/// Proves that a portal still takes a session's token.
///
/// ```
/// ready       --start------------------------> identifying get-current-user, signed
/// identifying --200 with userId--------------> finish
/// identifying --timestamp refused, first time> identifying signed anew by the server's clock
/// identifying --401, a guest's answer--------> session.refused
/// identifying --any other answer-------------> the code of LiferayAnswer
/// identifying --no answer--------------------> the transport's code
/// ```
struct LiferayOAuth1Verification: ReplyAuthenticator {
  var turn = Turn<Self>.ready
  let portal: LiferayPortal
  let session: OAuth1Session
  let jar: CookieJar

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    try identify(session, at: portal, jar: jar, for: .verification, input)
  }
}

extension ReplyAuthenticator {
  /// Asks a portal for whom it takes a token's owner: the end of a login, and the proof of a
  /// session.
  ///
  /// - Throws: `configuration.invalid` for a server URL with a query; what the signer throws.
  mutating func identify(
    _ session: OAuth1Session, at portal: LiferayPortal, jar: CookieJar,
    for purpose: LiferayPurpose, _ input: Input
  ) throws(GatebookError) -> Step {
    let request = try LiferayCommand.request([.currentUser(portal.version)], to: portal)
    let exchange = OAuth1Exchange(request, signedBy: session)
    return try send(exchange, input) { _, arrival, clock in
      let reply = arrival.reply
      if purpose == .verification, reply.status == 401,
        let error = OAuth1Problem.refusal(reply, by: portal.server)
      {
        throw error
      }
      let user = try LiferayUserRecord(in: reply, purpose, portal)
      var session = session
      session.clock = clock
      return .finish(
        user.outcome(
          user.person(at: portal, loginName: ""), LiferayOAuth1Proof(portal, session), jar: jar))
    }
  }
}
