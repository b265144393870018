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
