/// How one delivery to a server ended.
enum DeliveryEnding {
  /// The server has heard, with this status.
  case done(status: Int)
  /// It has not: why, and how long it wants to be left alone.
  case failed(GatebookError?, status: Int?, retryAfter: Duration?)

  /// Whether trying again cannot help: the server has answered, and refuses.
  var isRefusal: Bool {
    guard case .failed(nil, let status?, _) = self else { return false }
    return (400..<500).contains(status) && ![407, 408, 425, 429].contains(status)
  }

  /// What went wrong, as the log says it; of a success its status alone.
  var failure: Failure {
    var failure = Failure()
    switch self {
    case .done(let status): failure.status = Int64(status)
    case .failed(let error, let status, _):
      failure = Failure(error)
      failure.error = nil
      failure.status = status.map { Int64($0) }
    }
    return failure
  }

  /// How telling a server ended, within the time that somebody may be made to wait for it.
  ///
  /// - Parameters:
  ///   - limit: That time.
  ///   - tell: Tells it; it is cancelled when the time is over.
  /// - Returns: What it came to; `network.unreachable` for a server that is silent.
  static func inTime(
    _ limit: Duration = patience, _ tell: @escaping () async -> DeliveryEnding
  ) async -> DeliveryEnding {
    let ending = await startTask(tell).value(cancelledAfter: limit)
    guard case .failed(let error?, _, _) = ending, error.code == .cancelled else { return ending }
    return .failed(silent, status: nil, retryAfter: nil)
  }

  /// How long somebody may be made to wait for a server.
  static let patience = Duration.seconds(5)

  private static let silent = GatebookError(
    .networkUnreachable, .answerTime,
    kept: "The tokens that it granted stay valid there until the server ends them.",
    remedy: "The book keeps none of them.")
}

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
    guard let proof = proof.logoutCapable else { return .done(status: 0) }
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
