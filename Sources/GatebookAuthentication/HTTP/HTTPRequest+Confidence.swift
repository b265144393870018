internal import GatebookEvents
internal import GatebookSystem

extension HTTPRequest {
  /// The values that it tells in confidence: of its body, its query, its credentials and its
  /// cookies.
  var sentSecrets: [String] {
    let inBody = JSONDocument.read(body).map(Self.texts)
    return (inBody ?? Self.values(of: FormFields(decoding: body)))
      + Self.values(of: FormFields(decoding: (url.query ?? "").utf8))
      + fields.flatMap(Self.sentSecrets)
  }

  /// Those of them that are secrets by their names: of its body, its credentials and its cookies.
  var secrets: [String] {
    let document = JSONDocument.read(body)
    let form = document == nil ? FormFields(decoding: body)?.fields ?? [] : []
    return (document.map { Self.secrets(in: $0) } ?? [])
      + form.filter { Self.isSecret($0.name) }.map(\.value) + fields.flatMap(Self.sentSecrets)
  }

  private static func secrets(in value: FactValue) -> [String] {
    switch value {
    case .list(let values): values.flatMap(secrets)
    case .object(let facts):
      facts.names.flatMap { name in
        facts[name].map { isSecret(name) ? texts(in: $0) : secrets(in: $0) } ?? []
      }
    default: []
    }
  }

  /// Whether a parameter is a secret by its name; forms call their password as they like.
  private static func isSecret(_ name: String) -> Bool {
    guard !publicNames.contains(name) else { return false }
    let name = name.lowercased()
    return secretNames.contains(name)
      || ["pass", "pwd", "secret", "token"].contains(where: name.contains)
  }

  /// Source: RFC 6749 sections 2.3.1, 4.1.3, 4.3.2 and 6, RFC 7009 section 2.1, RFC 7521 section 4,
  /// RFC 7636 section 4.5, RFC 8628 section 3.4; `challengeResponse` is MobileFirst's.
  private static let secretNames: Set<String> = [
    "assertion", "client_assertion", "client_secret", "code", "code_verifier", "device_code",
    "challengeresponse", "password", "refresh_token", "token",
  ]

  /// The parameters whose values are public: names of the protocol, and of the client.
  private static let publicNames: Set<String> = [
    "acr_values", "audience", "claims", "client_assertion_type", "client_id", "code_challenge",
    "code_challenge_method", "display", "grant_type", "max_age", "oauth_consumer_key",
    "oauth_signature_method", "oauth_version", "prompt", "redirect_uri", "resource",
    "response_mode", "response_type", "scope", "security_check", "token_type_hint",
    "ui_locales",
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

  private static func sentSecrets(of field: HTTPField) -> [String] {
    switch field.name.lowercased() {
    case "authorization", "proxy-authorization":
      let parts = field.value.split(separator: " ", maxSplits: 1)
      // Digest and signatures show no secret, and repeat what the server has said.
      guard let words = parts.dropFirst().first, !words.contains("=\"") else { return [] }
      // RFC 7617 section 2: the user-id and the password, joined by a colon; a client's are encoded
      // once more (RFC 6749 section 2.3.1).
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
