internal import GatebookTestSupport

/// What a server in front makes of a request.
enum FrontVerdict {
  /// It is passed to the portal, and its answer gets this field.
  case admitted(LoopbackFields.Field?)
  /// It goes no further.
  case refused(LoopbackReply)

  /// Judges a request and keeps count of the nonces.
  static func of(
    _ request: LoopbackRequest, _ front: FakePortalFront, _ state: inout PortalState
  ) -> FrontVerdict {
    guard !front.closedPaths.contains(request.path) else {
      return refusal(front, isStale: false, &state)
    }
    if front.schemes.contains(.basic), let credentials = request.basicCredentials,
      credentials == (front.name, front.password)
    {
      return .admitted(nil)
    }
    guard let answer = FakeDigestAnswer(request), answer.isRight(for: request, front) else {
      return refusal(front, isStale: false, &state)
    }
    // RFC 7616 section 3.4: the count of a nonce rises, so that a repeated answer is seen; section
    // 3.3: a client that knows the password and used an old nonce gets `stale`.
    guard let uses = state.frontNonces[answer.nonce], answer.count > uses.last,
      uses.count < front.nonceUses ?? .max
    else { return refusal(front, isStale: true, &state) }
    state.frontNonces[answer.nonce] = (answer.count, uses.count + 1)
    return .admitted(LoopbackFields.Field("Authentication-Info", answer.proof(by: front)))
  }

  private static func refusal(
    _ front: FakePortalFront, isStale: Bool, _ state: inout PortalState
  ) -> FrontVerdict {
    var reply = PortalState.page.error(401, "This server wants to know you first.")
    for scheme in front.schemes {
      guard let algorithm = scheme.algorithm else {
        reply = reply.with("WWW-Authenticate", "Basic realm=\"\(front.realm)\"")
        continue
      }
      let nonce = state.random.text(32, of: "0123456789abcdef")
      state.frontNonces[nonce] = (0, 0)
      let stale = isStale ? ", stale=true" : ""
      reply = reply.with(
        "WWW-Authenticate",
        "Digest realm=\"\(front.realm)\", qop=\"auth\", algorithm=\(algorithm), "
          + "nonce=\"\(nonce)\", opaque=\"gatebook\"\(stale)")
    }
    return .refused(reply)
  }
}
