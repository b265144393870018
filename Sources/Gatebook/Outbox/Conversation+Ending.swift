extension Conversation {
  /// Sends what ends a session at its server; nobody is asked on the way.
  ///
  /// Where the server refuses one request, the next is sent all the same: an access token may end
  /// where its refresh token does not.
  mutating func end(_ proof: any SessionProof, _ jar: CookieJar) async -> DeliveryEnding {
    let clock = host.effects.clock
    asksNobody = true
    var status = 0
    var refusal: DeliveryEnding?
    for request in proof.logOut(jar: jar, at: clock.now()) {
      do throws(TransportFailure) {
        let reply = try await send(request).reply
        // A request that a proxy stopped has ended nothing at the server.
        let isHeldUp = Self.isHeldUp(reply)
        guard proof.hasEnded(reply), !isHeldUp else {
          let failure = DeliveryEnding.failed(
            isHeldUp ? Self.heldUp : nil, status: reply.status,
            retryAfter: reply.retryAfter(at: clock.now().wall))
          guard failure.isRefusal else { return failure }
          refusal = refusal ?? failure
          continue
        }
        status = reply.status
      } catch {
        return .failed(error.error, status: nil, retryAfter: nil)
      }
    }
    return refusal ?? .done(status: status)
  }

  /// Whether a reply asks for a name and a password that nobody gave.
  static func isHeldUp(_ reply: HTTPReply) -> Bool {
    reply.status == 401 && reply.challenges.contains { HTTPStrength($0) != nil }
  }

  private static let heldUp = GatebookError(
    .challengeUnhandled, "A proxy or gateway in front of the server asks for credentials.",
    kept: "The message to the server is kept.",
    remedy:
      "Answer with these credentials: see `ChallengeResolver`.")
}
