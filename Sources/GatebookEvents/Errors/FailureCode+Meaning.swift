extension FailureCode {
  /// What went wrong, as the second half of a sentence: `why` says it, and errors that know no more.
  ///
  /// A newer version's code stands as it is.
  package var meaning: String { Self.meanings[self] ?? rawValue }

  /// What went wrong, as a sentence of its own.
  package var sentence: String { meaning.asSentence }

  /// What a refusal on the server's page means, as the second half of a sentence.
  ///
  /// RFC 6749 section 4.1.2.1: "The resource owner or authorization server denied the request."
  package static let deniedOnPage = "the user, or the server, declined the login on its page"

  /// What a login as somebody else means, as the second half of a sentence.
  package static let anotherUser = "the server logged in another user than the account's"

  private static let meanings: [FailureCode: String] = [
    .credentialsRefused: "the server rejected the user name or the password",
    .loginUnprovable: "nothing proved the login",
    .loginCleartext: "a secret would have been sent without TLS",
    .loginInProgress: "another login of this account was running",
    .sessionRefused: "the server no longer accepts the session",
    .tokenRefused: "the server no longer accepts the refresh token",
    .codeRefused: "the server did not accept the code",
    .outcomeUnknown: "its answer was lost",
    .identityMismatch: "the server answered for another user",
    .scopeMissing: "the server granted less than was asked for",
    .originForeign: "the address does not belong to the account's servers",
    .challengeBlocked: "the server blocked the challenge",
    .challengeUnhandled: "nothing could answer the challenge",
    .challengeCancelled: "the user cancelled it",
    .challengeTimedOut: "nobody answered in time",
    .serverUnavailable: "the server was overloaded or failing",
    .serverRefused: "the server refused it for a reason that does not concern the session",
    .serverMoved: "the server redirected a request that must be answered where it was sent",
    .contentUnexpected:
      "the answer did not follow the protocol: it may be incomplete, or a web page such as a hotel's login page",
    .configurationInvalid: "the client's settings do not fit the server",
    .stateMismatch: "the answer belonged to no waiting login",
    .networkUnreachable: "the server could not be reached, or the connection broke",
    .tlsUntrusted: "the server's certificate is not trusted, so nothing was sent to it",
    .tlsKeyChanged: "the server's key is not the one it had before, so nothing was sent to it",
    .limitExceeded: "a limit was reached",
    .storageFull: "the disk was full",
    .storageBusy: "the book was busy for too long",
    .cancelled: "it was cancelled",
    .preconditionFailed: "the account was erased or changed meanwhile",
  ]
}
