extension HTTPAuthorizer {
  /// What a reply says about the authentication, and what is to be done.
  package enum Verdict: Sendable {
    /// Nothing: the reply is the caller's, whatever its status.
    case final
    /// Send this at once and hand its reply in; nobody is asked.
    case resend(HTTPAttempt)
    /// The server refused name or password.
    case refused
    /// The server calls the second nonce too old as well; that says nothing about name and password.
    case stale
    /// The server asks for what this authorizer does not answer: another scheme, another realm,
    /// something weaker than before. Empty when it does not say what it asks for.
    case unhandled([AuthenticationChallenge])
    /// The reply comes from somebody who does not know the password; it must not be used.
    case untrusted
  }
}
