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
  ///   long part of one; what every such request says, as `grant_type` does, is in no confidence.
  package static func echoes(
    among words: some Sequence<String>, of requests: [HTTPRequest]
  ) -> Set<String> {
    let values = Set(requests.flatMap(\.confidences).map { $0.lowercased() })
    return Set(words.filter { word in values.contains { isEcho(word.lowercased(), of: $0) } })
  }

  private static func isEcho(_ word: String, of value: String) -> Bool {
    value == word
      // Short values are in many words by chance.
      || value.utf8.count >= 4 && word.contains(value)
      || word.utf8.count >= 8 && value.contains(word)
  }

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
    case .object(let facts): facts.names.compactMap { facts[$0] }.flatMap(texts)
    case .null, .bool: []
    }
  }

  private static func confidences(of field: HTTPField) -> [String] {
    switch field.name.lowercased() {
    case "authorization", "proxy-authorization":
      let words = field.value.split(separator: " ", maxSplits: 1).dropFirst()
        .flatMap { $0.split { " ,\"".contains($0) } }
      // RFC 7617 section 2: the user-id and the password, joined by a colon.
      let pairs = words.compactMap { Base64.decode($0) }
        .compactMap { String(validating: $0, as: UTF8.self) }
        .flatMap { $0.split(separator: ":", maxSplits: 1) }
      return (words + pairs).map(String.init)
    case "cookie":
      return field.value.split(separator: ";").compactMap {
        $0.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
      }
    default: return []
    }
  }
}
