internal import GatebookCrypto
internal import GatebookEvents

/// What came back from the authorisation page (RFC 6749 section 4.1.2).
enum AuthorizationRedirect {
  private static let settings = [
    "invalid_request", "invalid_scope", "unauthorized_client", "unsupported_response_type",
  ]

  /// The code.
  ///
  /// - Throws: `challenge.cancelled` when the person or the server denied, `configuration.invalid`,
  ///   `server.unavailable` or `server.refused` for the other errors of section 4.1.2.1,
  ///   `content.unexpected` without a code.
  static func code(in fields: FormFields) throws(GatebookError) -> String {
    if let error = fields["error"] { throw failure(error) }
    guard let code = fields["code"], !code.isEmpty else {
      throw .atLogin(
        .contentUnexpected, "The redirect contains neither a code nor an error.",
        remedy: "Log in again.")
    }
    return code
  }

  private static func failure(_ error: String) -> GatebookError {
    switch error {
    case "access_denied":
      .atLogin(
        .challengeCancelled, FailureCode.deniedOnPage.asSentence, remedy: "Log in again and agree.",
        serverCode: error)
    case "server_error", "temporarily_unavailable":
      .atLogin(
        .serverUnavailable, "The server is overloaded or failing.", remedy: "Try again later.",
        serverCode: error)
    case _ where settings.contains(error):
      .atLogin(
        .configurationInvalid, "The server rejected the request to its login page.",
        remedy: "Check the client ID, the scopes and the redirect URI.", serverCode: error)
    default:
      .atLogin(
        .serverRefused, "The server's login page ended with an error.",
        remedy: "Ask the server's administrator.", serverCode: error)
    }
  }
}

/// What a login must still know when its redirect comes; secret.
struct CodeVisit: Sendable {
  /// The proof for the code's redemption.
  let pkce: PKCE
  /// What tells this login's redirect from others.
  let state: String
  /// What the ID token must hold; `nil` if none is asked for.
  let nonce: String?
}

extension CodeVisit: StoredRecord {
  /// Makes what one visit needs: 256 bits each.
  init(_ random: Randomness, withNonce: Bool) {
    pkce = PKCE(random: random.bytes(for: "code_verifier"))
    state = Base64URL.encode(random.bytes(for: "state"))
    nonce = withNonce ? Base64URL.encode(random.bytes(for: "nonce")) : nil
  }

  /// What the redirect is checked by.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    nonce = facts.optional("nonce", kept?.nonce)
    state = try facts.required("state", kept?.state)
    pkce = PKCE(verifier: try facts.required("verifier", kept?.pkce.verifier))
  }
}

/// The proof that the client that redeems a code is the one that asked for it (RFC 7636).
///
/// Always S256: `plain` protects nothing when the request can be read.
struct PKCE: Sendable {
  /// 43 characters of base64url: 32 random bytes (section 4.1); secret until the code is redeemed.
  let verifier: String

  /// `BASE64URL-ENCODE(SHA256(ASCII(code_verifier)))` (section 4.2).
  var challenge: String { Base64URL.encode(SHA256().hash(Array(verifier.utf8))) }
}

extension PKCE {
  /// Makes a verifier.
  ///
  /// - Parameter random: At least 32 fresh random bytes.
  init(random: [UInt8]) {
    self.init(verifier: Base64URL.encode(random.prefix(32)))
  }
}
