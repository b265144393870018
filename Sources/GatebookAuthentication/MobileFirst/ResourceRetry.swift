/// The retry rules of one request to a protected resource, as a pure state machine.
///
/// ```
/// 403 Bearer with scope          the scope is remembered, a token obtained, the request sent again
/// 403 Bearer without scope       to the caller at once
/// 401 Bearer invalid_token       the scope's token is cleared, another obtained, sent again
/// 401 Bearer, other              the default scope is remembered, a token obtained, sent again
/// 409 with MFP-Conflict          sent again as it was, at most 7 times
/// anything else                  to the caller
/// ```
///
/// After 4 retries the last answer goes to the caller. Source: section 3.
package struct ResourceRetry: Sendable {
  /// What to do with an answer.
  package enum Move: Sendable, Equatable {
    /// Send again with a token for this scope, which is to be remembered for the resource.
    case obtain(String)
    /// Forget the token of this scope, then send again with another one.
    case renew(String)
    /// Send again as it was.
    case resend
    /// The answer is the caller's.
    case done
  }

  /// How often a request is sent again for want of a token.
  package static let maximumRetries = 4

  private var retries = 0
  private var conflicts = 0

  /// Begins.
  package init() {}

  /// Takes the answer to a request.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - scope: The scope of the token it carried; `nil` for none.
  /// - Returns: What to do with it.
  package mutating func next(_ reply: HTTPReply, scope: String?) -> Move {
    if ResourceRefusal.isConflict(reply) {
      guard conflicts < ResourceRefusal.maximumConflicts else { return .done }
      conflicts += 1
      return .resend
    }
    guard let bearer = ResourceRefusal.bearer(reply), let move = move(reply, bearer, scope),
      retries < Self.maximumRetries
    else { return .done }
    retries += 1
    return move
  }

  private func move(
    _ reply: HTTPReply, _ bearer: AuthenticationChallenge, _ scope: String?
  ) -> Move? {
    if reply.status == 403 { return bearer["scope"].map { .obtain($0) } }
    if bearer["error"] == "invalid_token", let scope { return .renew(scope) }
    return .obtain("")
  }
}

/// What a refusal by a protected resource, or by the authorization server, asks for (section 3).
enum ResourceRefusal {
  /// How often a conflict is answered by sending again.
  static let maximumConflicts = 7

  /// 409 with `MFP-Conflict`.
  static func isConflict(_ reply: HTTPReply) -> Bool {
    reply.status == 409 && reply.fields.first("MFP-Conflict") != nil
  }

  /// The Bearer challenge of a 401 or 403 (RFC 6750 section 3); `nil` for every other answer.
  static func bearer(_ reply: HTTPReply) -> AuthenticationChallenge? {
    guard reply.status == 401 || reply.status == 403 else { return nil }
    return reply.challenges.first { $0.scheme == "bearer" }
  }
}

extension HTTPReply {
  /// Whether a protected resource wants a token, or the request once more: 409 with `MFP-Conflict`,
  /// 401 or 403 with a Bearer challenge.
  ///
  /// A 401 with `MFP-Challenge` is none of these: that is answered by checks.
  package var isAuthorizationRequired: Bool {
    ResourceRefusal.isConflict(self) || ResourceRefusal.bearer(self) != nil
  }

  /// The scope that the Bearer challenge of a refusal names; `nil` when it names none.
  package var resourceScope: String? { ResourceRefusal.bearer(self)?["scope"] }
}
