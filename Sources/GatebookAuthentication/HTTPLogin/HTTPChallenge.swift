internal import GatebookEvents

/// What is said of challenges that cannot be answered.
enum HTTPChallenge {
  /// Nobody answers what the server asks for.
  ///
  /// - Parameters:
  ///   - reply: What asks for it.
  ///   - floor: What was answered before; `nil` for nothing.
  /// - Returns: `challenge.unhandled` with the names of the schemes that were offered.
  static func unhandled(_ reply: HTTPReply, after floor: HTTPStrength? = nil) -> GatebookError {
    if let floor, let weaker = reply.strength, weaker < floor {
      return weakened(reply, from: floor)
    }
    let names = reply.challenges.map(\.scheme).filter(GatebookError.isErrorCode)
    let offer = names.isEmpty ? "no scheme at all" : names.joined(separator: ", ")
    return GatebookError(
      .challengeUnhandled, .scheme, kept: "No password was sent.",
      remedy: "Ask the server's administrator to offer Digest, or Basic over TLS.",
      cause: "offered: \(offer)", status: reply.status
    ).naming(names)
  }

  /// The server asks for the password in a weaker way than the login gave it.
  static func weakened(_ reply: HTTPReply, from floor: HTTPStrength) -> GatebookError {
    GatebookError(
      .challengeUnhandled, .schemeWeaker,
      "It asks for \(reply.strength?.title ?? "less"), but the login used \(floor.title).",
      kept: "No password was sent.",
      remedy:
        "Ask the server's administrator to offer \(floor.title) here too. If this address may receive "
        + "the password itself, log in with its URL; that login then replaces this one.",
      status: reply.status)
  }

  /// The server asks for the password of another protection space (RFC 7617 section 2.2).
  static func ofOtherRealm(_ reply: HTTPReply) -> GatebookError {
    GatebookError(
      .challengeUnhandled,
      "The server protects this address by another realm than the one of the login.",
      kept: "No password was sent.",
      remedy:
        "If the same password belongs here, log in with this URL; that login then replaces this one.",
      status: reply.status)
  }
}

extension HTTPReply {
  /// The strongest way of those in which it asks for a password; `nil` where it asks for none.
  var strength: HTTPStrength? { challenges.compactMap { HTTPStrength($0) }.max() }
}
