internal import GatebookEvents

extension HTTPRequest {
  /// Which of a server's words repeat what requests told it in confidence, such as a password or a token.
  ///
  /// An error code stands in the clear, in events and in errors, and a server may well echo into it what it
  /// was sent.
  ///
  /// - Parameters:
  ///   - words: The server's words.
  ///   - requests: What it was sent.
  /// - Returns: Those in which one of the values of a body, query, credentials or cookies is, or that are a
  ///   long part of one. What every such request says, as `grant_type` does, is in no confidence, and a code
  ///   of a standard tells nothing.
  package static func echoes(
    among words: some Sequence<String>, of requests: [HTTPRequest]
  ) -> Set<String> {
    let values = Set(requests.flatMap(\.confidences).map { $0.lowercased() })
    return Set(
      words.filter { word in
        !registeredCodes.contains(word)
          && values.contains { isEcho(word.lowercased(), of: $0) }
      })
  }

  private static func isEcho(_ word: String, of value: String) -> Bool {
    // Short values are in many words by chance.
    value == word || value.utf8.count >= 8 && word.contains(value)
      || word.utf8.count >= 8 && value.contains(word)
  }

  /// Source: the registry "OAuth Extensions Errors", OpenID Connect Core 1.0 section 3.1.2.6, RFC 7235.
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

  private var confidences: [String] {
    let inBody = JSONDocument.read(body).map(Self.texts)
    return (inBody ?? Self.values(of: FormFields(decoding: body)))
      + Self.values(of: FormFields(decoding: (url.query ?? "").utf8))
      + fields.flatMap(Self.confidences)
  }

  /// The parameters whose values are public: names of the protocol, and of the client.
  private static let publicNames: Set<String> = [
    "acr_values", "audience", "claims", "client_assertion_type", "client_id", "code_challenge",
    "code_challenge_method", "display", "grant_type", "max_age", "oauth_consumer_key",
    "oauth_signature_method", "oauth_version", "prompt", "redirect_uri", "resource",
    "response_mode", "response_type", "scope", "token_type_hint", "ui_locales",
  ]

  private static func values(of form: FormFields?) -> [String] {
    (form?.fields ?? []).filter { !publicNames.contains($0.name) }.map(\.value)
  }

  private static func texts(in value: FactValue) -> [String] {
    switch value {
    case .text(let text): [text]
    case .integer(let number): ["\(number)"]
    case .list(let values): values.flatMap(texts)
    case .object(let facts):
      facts.names.filter { !publicNames.contains($0) }.compactMap { facts[$0] }.flatMap(texts)
    case .null, .bool: []
    }
  }

  private static func confidences(of field: HTTPField) -> [String] {
    switch field.name.lowercased() {
    case "authorization", "proxy-authorization":
      let parts = field.value.split(separator: " ", maxSplits: 1)
      // Digest and signatures show no secret, and repeat what the server has said.
      guard let words = parts.dropFirst().first, !words.contains("=\"") else { return [] }
      // RFC 7617 section 2: the user-id and the password, joined by a colon; a client's are encoded once
      // more (RFC 6749 section 2.3.1).
      let pair = Base64.decode(words).flatMap { String(validating: $0, as: UTF8.self) }
      let names = (pair ?? "").split(separator: ":", maxSplits: 1).map(String.init)
      return [String(words)] + names
        + names.compactMap { FormFields(decoding: "x=\($0)".utf8)?["x"] }
    case "cookie":
      return field.value.split(separator: ";").compactMap {
        $0.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
      }
    default: return []
    }
  }
}
