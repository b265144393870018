extension HTTPReply {
  /// What a refusal of a token may be called: no server's own word, so that it cannot echo a secret.
  private static let refusalCodes = [
    "token_revoked", "token_expired", "expired_token", "token_rejected", "invalid_token",
  ]

  /// Why a token is refused, as far as the answer says it in the words of a standard: RFC 6750 section 3.1,
  /// the Problem Reporting extension of OAuth 1.0a.
  package var refusalCode: String? {
    let told = tokenErrors.union([OAuth1Problem(self)?.code].compactMap(\.self))
    return Self.refusalCodes.first(where: told.contains)
  }
}
