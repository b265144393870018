/// What a reply asks, as a resolver gets to hear it.
extension HTTPReply {
  /// The challenges that are put to a resolver, in their order; those for a name and a password
  /// first.
  ///
  /// A resolver that leaves tokens to the default handling is still asked for the name and password
  /// that the same answer accepts.
  ///
  /// All of a 401. Of a 403 only those for tokens: "insufficient_scope: The request requires higher
  /// privileges than provided by the access token. The resource server SHOULD respond with the HTTP
  /// 403 (Forbidden) status code" (RFC 6750 section 3.1), which another token answers.
  var questions: [AuthenticationChallenge] {
    guard status == 401 || status == 403 else { return [] }
    return status == 403 ? challenges.filter(\.isAboutTokens) : challenges.passwordsFirst
  }

  /// Whether a token endpoint refuses the app itself: "invalid_client: Client authentication
  /// failed" (RFC 6749 section 5.2).
  ///
  /// What it asks for then is the app's secret, which its method has: "The client MUST NOT use more
  /// than one authentication method in each request" (section 2.3).
  var refusesClient: Bool {
    status == 401 && JSONDocument.read(body)?.object?["error"]?.text == "invalid_client"
  }
}

/// What a server, or a proxy on the way, asks for.
protocol Asking {
  var scheme: String { get }
  var realm: String? { get }
}

extension Asking {
  /// What a resolver is asked.
  var question: Challenge.Question { Challenge.Question(scheme: scheme, realm: realm) }

  /// Whether no name and password answer it.
  var isAboutTokens: Bool { question.isAboutTokens }
}

extension Array where Element: Asking {
  /// Those for a name and a password first.
  var passwordsFirst: Self { filter { !$0.isAboutTokens } + filter(\.isAboutTokens) }
}

extension AuthenticationChallenge: Asking {
  /// Whether only the nonce of the answer was too old (RFC 7616 section 3.3).
  var isStale: Bool { scheme == "digest" && self["stale"]?.lowercased() == "true" }
}
