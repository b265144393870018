package import GatebookEvents

extension GatebookError {
  /// The reply carries a proof that the server knows the password, and the proof is wrong.
  ///
  /// `identity.mismatch`: whoever answered is not the server that knows the password.
  package static func untrusted(_ reply: HTTPReply) -> GatebookError {
    GatebookError(
      .identityMismatch, .rspauth,
      "Somebody changed the answer, or answered in the server's place.",
      kept: GatebookError.keptSessions, remedy: "Use TLS, and ask who runs the server.",
      status: reply.status)
  }

  /// Whether the server answered for another user than the account's.
  ///
  /// Not where somebody answered in the server's place: that says nothing of the session, which goes on.
  package var isOfAnotherUser: Bool { code == .identityMismatch && fault != Fault.rspauth.name }
}
