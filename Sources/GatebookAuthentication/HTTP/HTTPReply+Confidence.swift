internal import GatebookEvents

extension HTTPReply {
  /// The values that it gives in confidence: its tokens, its secrets and its cookies.
  var sentSecrets: [String] { given + cookies }

  /// What its body gives under the names that the protocols have for secrets.
  private var given: [String] {
    if let facts = JSONDocument.read(body)?.object {
      return Self.secretNames.compactMap { facts[$0]?.text }
    }
    // OAuth 1.0a answers with a form (RFC 5849 section 2.1).
    return (FormFields(decoding: body)?.fields ?? []).filter {
      Self.secretNames.contains($0.name)
    }.map(\.value)
  }

  private var cookies: [String] {
    fields.filter { $0.name.lowercased() == "set-cookie" }.compactMap { field in
      field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).dropFirst().first.map(
        String.init)
    }
  }

  /// Source: RFC 6749 section 5.1, RFC 8628 section 3.2, RFC 7591 section 3.2.1, RFC 7592 section 3,
  /// OpenID Connect Core 1.0 section 3.1.3.3, RFC 5849 section 2; `sessionid` is a gateway's.
  private static let secretNames: Set<String> = [
    "access_token", "client_secret", "device_code", "id_token", "oauth_token",
    "oauth_token_secret", "refresh_token", "registration_access_token", "sessionid",
  ]
}
