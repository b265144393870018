package import GatebookEvents

/// What an answer to an authorised request says about the session.
package enum SessionVerdict: Sendable, Equatable {
  /// Nothing: the answer is the app's affair.
  case unaffected
  /// The server refused the request's clock or nonce, not the session: try again once, with the
  /// proof that this record makes.
  case corrected(Facts)
  /// The server did not take the session's authority: renew, or prove the session, then try again
  /// once.
  case authorityLost
}
