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
        guard proof.hasEnded(reply), !Self.isHeldUp(reply) else {
          return .failed(
            nil, status: reply.status, retryAfter: reply.retryAfter(at: clock.now().wall))
        }
        status = reply.status
      } catch {
        return .failed(error.error, status: nil, retryAfter: nil)
      }
    }
    return .done(status: status)
  }
}
