extension FailureCode {
  /// What went wrong, as the second half of a sentence.
  ///
  /// A newer version's code stands as it is.
  var meaning: String { Self.meanings[self] ?? "\(rawValue)" }

  private static let meanings: [FailureCode: String] = [
    .credentialsRefused: "the server refused the name or the password",
    .loginUnprovable: "nothing proved the login",
    .loginCleartext: "the password would have crossed the network in the clear",
    .loginInProgress: "another login of this account was under way",
    .sessionRefused: "the server refused what proves the session",
    .tokenRefused: "the server refused the token",
    .codeRefused: "the server did not take what its login page had given",
    .outcomeUnknown: "its answer was lost",
    .identityMismatch: "the server answered for another user",
    .scopeMissing: "the server granted less than was asked for",
    .originForeign: "the address is none of the account's own",
    .challengeBlocked: "the server blocked the challenge",
    .challengeUnhandled: "nobody was there to answer the challenge",
    .challengeCancelled: "the person cancelled it",
    .challengeTimedOut: "nobody answered in time",
    .serverUnavailable: "the server was in trouble",
    .serverRefused: "the server refused it for a reason that says nothing about the session",
    .serverMoved: "the server sent it elsewhere, where nothing is sent",
    .contentUnexpected:
      "the answer was not one of this protocol: it may have been cut short, or be a page such as a "
      + "hotel's network shows",
    .configurationInvalid: "the client's settings do not fit the server",
    .stateMismatch: "the answer belonged to no login that waits",
    .networkUnreachable: "the server was not reached, or the connection broke off",
    .tlsUntrusted: "the server's certificate is not trusted, so nothing was sent to it",
    .tlsKeyChanged: "the server shows another key than before, so nothing was sent to it",
    .limitExceeded: "a limit was reached",
    .storageFull: "the disk was full",
    .storageBusy: "the book was busy for too long",
    .cancelled: "it was cancelled",
    .preconditionFailed: "the account was erased, or changed, meanwhile",
  ]
}
