extension Conversation {
  /// Sends what ends a session at its server; nobody is asked on the way.
  mutating func end(_ proof: any SessionProof, _ jar: CookieJar) async -> DeliveryEnding {
    let clock = book.clock
    asksNobody = true
    var status = 0
    for request in proof.logOut(jar: jar, at: clock.now()) {
      do throws(TransportFailure) {
        let reply = try await send(request).reply
        // What was stopped in front of the server has ended nothing behind it.
        let isHeldUp = Self.isHeldUp(reply)
        guard proof.hasEnded(reply), !isHeldUp else {
          let isPage = (200..<300).contains(reply.status) && reply.isHTMLDocument
          return .failed(
            isHeldUp ? Self.heldUp : isPage ? Self.strange : nil, status: reply.status,
            retryAfter: reply.retryAfter(at: clock.now().wall))
        }
        status = reply.status
      } catch {
        return .failed(error.error, status: nil, retryAfter: nil)
      }
    }
    return .done(status: status)
  }

  /// Such as the portal of a strange network.
  private static let strange = GatebookError(
    .contentUnexpected, "A page came where the server's endpoint should answer.",
    kept: "What the server is to be told waits.", remedy: "Look what answers in its place.")

  private static let heldUp = GatebookError(
    .challengeUnhandled, "Somebody in front of the server asks for credentials.",
    kept: "What the server is to be told waits.", remedy: "Give them to a resolver.")
}
