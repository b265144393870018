package import GatebookEvents

extension GatebookError {
  /// The reply carries a proof that the server knows the password, and the proof is wrong.
  ///
  /// `content.unexpected`: no other user is in play, so it is no `identity.mismatch`; the reply is
  /// not one that this protocol lets the server give.
  package static func untrusted(_ reply: HTTPReply) -> GatebookError {
    .unexpected(
      "The server's proof that it knows the password is wrong: the reply was changed on its way, "
        + "or comes from somebody else. It was not used.",
      remedy: "Use TLS, and ask who runs the server.", status: reply.status)
  }
}
