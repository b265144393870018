internal import GatebookEvents

/// What was told in confidence in exchanges with servers, by either side: passwords, tokens,
/// cookies.
///
/// A server chooses some words that are in the clear, in events and in errors: error codes, scopes,
/// names of attributes and of cookies. It may echo secrets into them that it received or granted.
package struct SentSecrets: Sendable {
  private struct Exchange: Sendable {
    var request: HTTPRequest
    var reply: HTTPReply
  }

  /// So many exchanges are kept, the last ones: no login of a protocol takes more.
  private static let most = 16
  /// No protocol reads a longer answer than that: longer bodies are not looked through.
  private static let longest = 1 << 20

  private var exchanges: [Exchange] = []

  /// Nothing was told yet.
  package init() {}

  /// Takes an exchange.
  package mutating func note(_ request: HTTPRequest, _ reply: HTTPReply) {
    var exchange = Exchange(request: request, reply: reply)
    if request.body.count > Self.longest { exchange.request.body = [] }
    if reply.body.count > Self.longest { exchange.reply.body = [] }
    // Who waits for a person asks the same again and again, and is given nothing until then.
    if let last = exchanges.last, last.request == exchange.request, last.reply.sentSecrets.isEmpty {
      exchanges.removeLast()
    }
    if exchanges.count == Self.most { exchanges.removeFirst() }
    exchanges.append(exchange)
  }

  /// Which of a server's words repeat what was told in confidence.
  ///
  /// - Parameter words: The server's words.
  /// - Returns: Those in which one of the values of a request's body, query, credentials or cookies
  ///   is, or one that an answer gave, or that are a long part of one. What every such request
  ///   says, as `grant_type` does, is in no confidence, and a code of a standard tells nothing.
  /// - Complexity: The lengths of the words and of what was told, added up: a server chooses both.
  package func leaks(among words: some Sequence<String>) -> Set<String> {
    let words = Set(words).subtracting(Self.registeredCodes)
    guard !words.isEmpty else { return [] }
    let secrets = Set(
      exchanges.flatMap { $0.request.secrets + $0.reply.sentSecrets }.map { $0.lowercased() })
    let values = Set(exchanges.flatMap(\.request.sentSecrets).map { $0.lowercased() })
    let lowercased = words.map { $0.lowercased() }
    let told = secrets.union(values)
    let longest = lowercased.map(\.count).max() ?? 0
    // Short values are in many words by chance, and longer ones in none.
    let parts = EchoSearch(told.filter { $0.utf8.count >= 8 && $0.count <= longest })
    // Of what may be no secret, as an app's own parameter, any word may be one of a URL or a list.
    let wholes = told.filter { secrets.contains($0) || !$0.contains(where: "/,;& ".contains) }
    let areHeld = EchoSearch(lowercased).areFound(in: wholes)
    let leaks = zip(words, zip(lowercased, areHeld)).filter { _, found in
      let (word, isHeld) = found
      return isHeld && word.utf8.count >= 8 || told.contains(word) || parts.isAnyWord(in: word)
    }
    return Set(leaks.map(\.0))
  }

  /// Source: the registry "OAuth Extensions Errors", OpenID Connect Core 1.0 section 3.1.2.6, RFC
  /// 7235.
  private static let registeredCodes: Set<String> = [
    "access_denied", "account_selection_required", "authorization_pending", "basic", "bearer",
    "consent_required", "digest", "dpop", "expired_token", "insufficient_scope",
    "insufficient_user_authentication", "interaction_required", "invalid_client",
    "invalid_client_metadata", "invalid_dpop_proof", "invalid_grant", "invalid_redirect_uri",
    "invalid_request", "invalid_request_object", "invalid_request_uri", "invalid_scope",
    "invalid_target", "invalid_token", "login_required", "oauth", "registration_not_supported",
    "request_not_supported", "request_uri_not_supported", "server_error", "slow_down",
    "temporarily_unavailable", "unauthorized_client", "unsupported_grant_type",
    "unsupported_response_type", "unsupported_token_type", "use_dpop_nonce",
  ]
}
