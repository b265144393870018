internal import GatebookEvents

/// What is said of challenges that cannot be answered.
enum HTTPChallenge {
  /// Nobody answers what the server asks for.
  ///
  /// - Returns: `challenge.unhandled` with the names of the schemes that were offered.
  static func unhandled(_ reply: HTTPReply) -> GatebookError {
    let names = reply.challenges.map(\.scheme).filter(GatebookError.isErrorCode)
    let offer = names.isEmpty ? "no scheme at all" : names.joined(separator: ", ")
    return GatebookError(
      .challengeUnhandled, "The server asks for credentials in a way that nobody answers.",
      kept: "No password was sent.",
      remedy: "Ask who runs the server for Digest, or for Basic over TLS.",
      cause: "offered: \(offer)", status: reply.status
    ).faulting("scheme").naming(names)
  }
}
