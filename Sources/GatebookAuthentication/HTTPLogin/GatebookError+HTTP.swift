package import GatebookEvents

extension GatebookError {
  /// The reply carries a proof that the server knows the password, and the proof is wrong.
  ///
  /// `identity.mismatch`: the answer is not from the server that knows the password.
  package static func untrusted(_ reply: HTTPReply) -> GatebookError {
    GatebookError(
      .identityMismatch, .rspauth,
      "The answer was changed on its way, or something else answered instead of the server.",
      kept: GatebookError.keptSessions, remedy: "Use TLS, and ask the server's administrator.",
      status: reply.status)
  }

  /// Whether the server answered for another user than the account's.
  ///
  /// Not where something else answered instead of the server: that says nothing about the session.
  package var isOfAnotherUser: Bool { code == .identityMismatch && fault != Fault.rspauth.name }
}
