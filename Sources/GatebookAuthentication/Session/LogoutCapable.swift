package import GatebookEvents

/// A session whose end the server can be told.
package protocol LogoutCapable: SessionProof {
  /// The requests that end the session at the server, in their order; none when there is nothing to
  /// end.
  func logOut(jar: CookieJar, at moment: Moment) -> [HTTPRequest]

  /// Whether the answer to a request of `logOut` says that the session has ended there.
  func hasEnded(_ reply: HTTPReply) -> Bool

  /// The page on which the person's own session at the server ends, in the browser; it holds
  /// secrets.
  ///
  /// - Parameters:
  ///   - redirectURI: Where the server sends the browser back to; `nil` for nowhere.
  ///   - state: What comes back with it.
  ///   - namesPerson: Whether it holds what tells the server whose session to end; else it asks.
  /// - Returns: The page; `nil` for a server without one.
  func endSessionPage(redirectURI: String?, state: String?, namesPerson: Bool) -> HTTPURL?
}

extension LogoutCapable {
  /// This.
  package var logoutCapable: (any LogoutCapable)? { self }

  /// Any answer below 500 but 429: a server that refuses does not know the session (any more).
  package func hasEnded(_ reply: HTTPReply) -> Bool { reply.status < 500 && reply.status != 429 }

  /// None.
  package func endSessionPage(
    redirectURI: String?, state: String?, namesPerson: Bool
  ) -> HTTPURL? { nil }
}

extension SessionProof {
  /// Whether there is anything to tell the server.
  package func hasLogout(jar: CookieJar = CookieJar(), at moment: Moment) -> Bool {
    logoutCapable.map { !$0.logOut(jar: jar, at: moment).isEmpty } ?? false
  }
}
