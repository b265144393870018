extension Challenge.Question {
  /// What a scheme asks for.
  ///
  /// An unknown scheme counts as one for a name and a password: it may want them. If they do not
  /// help, the next challenge is asked.
  init(scheme: String, realm: String?) {
    self =
      Self.tokenSchemes.contains(scheme)
      ? .token(scheme: scheme, realm: realm) : .credentials(scheme: scheme, realm: realm)
  }

  /// Whether it wants what no name and password can be: a token, a signature, a proof of a key or a
  /// security check.
  var isAboutTokens: Bool { if case .token = self { true } else { false } }

  /// Of RFC 6750, RFC 9449 and RFC 5849, and MobileFirst's own.
  private static let tokenSchemes: Set<String> = ["bearer", "dpop", "mfp-challenge", "oauth"]
}
