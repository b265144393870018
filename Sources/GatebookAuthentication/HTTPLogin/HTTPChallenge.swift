internal import GatebookEvents

/// Chooses among the challenges of a 401 (RFC 9110 section 11.6.1).
enum HTTPChallenge {
  /// The realm of the first Basic challenge; schemes that Gatebook does not answer are skipped.
  ///
  /// - Throws: `challenge.unhandled` with the names of the schemes that were offered.
  static func basicRealm(in reply: HTTPReply) throws(GatebookError) -> String {
    guard let basic = reply.challenges.first(where: { $0.scheme == "basic" }) else {
      throw unhandled(reply)
    }
    return basic.realm ?? ""
  }

  /// Nobody answers what the server asks for.
  static func unhandled(_ reply: HTTPReply) -> GatebookError {
    let names = reply.challenges.map(\.scheme).filter(GatebookError.isErrorCode)
    let offer = names.isEmpty ? "no scheme at all" : names.joined(separator: ", ")
    return GatebookError(
      .challengeUnhandled, "The server asks for credentials by a scheme that nobody answers.",
      kept: "No password was sent.", remedy: "Ask who runs the server for Basic over TLS.",
      cause: "offered: \(offer)", status: reply.status)
  }
}
